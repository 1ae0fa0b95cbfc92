/** What the clocks show. All times are milliseconds of the server's clock. */
import type { TableView } from "../../../game/view";
import { hasTurnTimer } from "./rulesets";

export const WARN_MS = 5_000;

export interface Countdown {
  kind: "turn" | "clock" | "autopilot";
  leftMs: number;
  /** 0 to 1: how much of the whole is left. */
  part: number;
  warns: boolean;
}

/** The time that runs for the seat to move; none where nothing runs, or where the turn is as good as untimed. */
export function turnCountdown(view: TableView, now: number): Countdown | null {
  const deadline = view.deadline;
  if (deadline === null || view.to_move === null) return null;
  const { kind } = deadline;
  if (kind !== "turn" && kind !== "clock" && kind !== "autopilot") return null;
  if (kind === "turn" && !hasTurnTimer(view.ruleset)) return null;
  const whole = kind === "clock" ? (view.ruleset.clock_ms ?? 1) : Math.max(1, deadline.due_at - deadline.set_at);
  const leftMs = Math.max(0, deadline.due_at - now);
  return { kind, leftMs, part: Math.min(1, leftMs / whole), warns: kind !== "autopilot" && leftMs <= WARN_MS };
}

/** A seat's match clock; it runs in its own turn alone. */
export function matchClockMs(view: TableView, seat: number, now: number): number | null {
  const clock = view.clocks?.[seat - 1];
  if (clock === undefined) return null;
  if (view.to_move !== seat || view.deadline?.kind !== "clock") return clock;
  return Math.max(0, view.deadline.due_at - now);
}

/** How long until the next round comes by itself. */
export function pauseLeftMs(view: TableView, now: number): number | null {
  return view.status === "pausing" && view.deadline ? Math.max(0, view.deadline.due_at - now) : null;
}

/** How much an outage of the service has put the deadline of the same turn off between two views of one version. */
export function givenBackMs(before: { version: number; view: TableView }, after: { version: number; view: TableView }): number {
  if (before.version !== after.version || before.view.turn !== after.view.turn) return 0;
  const [was, is] = [before.view.deadline, after.view.deadline];
  if (!was || !is || was.kind !== is.kind) return 0;
  return Math.max(0, is.due_at - was.due_at);
}
