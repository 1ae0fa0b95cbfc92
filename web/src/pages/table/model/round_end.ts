/** Why a round has ended as it has, and what it was worth. */
import type { LastRound, Ruleset } from "../../../game/view";
import { sideOf, sidesOf } from "./rulesets";

export interface SideSum {
  seats: number[];
  pips: number;
  /** The side of the round's winner. */
  won: boolean;
}

export interface RoundExplained {
  reason: "out" | "blocked" | "tied";
  winner: number | null;
  points: number;
  sums: SideSum[];
  /** How the points come of the sums; none where nobody scores. */
  counted: "opponents" | "minus-own" | "difference" | "nearest-five" | null;
}

export function explainRound(ruleset: Ruleset, last: LastRound): RoundExplained {
  const winning = last.winner === null ? null : sideOf(ruleset, last.winner);
  const sums = sidesOf(ruleset).map((seats, side) => ({
    seats,
    pips: seats.reduce((sum, seat) => sum + (last.pips[seat - 1] ?? 0), 0),
    won: side === winning,
  }));
  const reason = last.winner === null ? "tied" : last.reason;
  return { reason, winner: last.winner, points: last.points, sums, counted: countedAs(ruleset, reason) };
}

function countedAs(ruleset: Ruleset, reason: RoundExplained["reason"]): RoundExplained["counted"] {
  if (reason === "tied") return null;
  if (ruleset.fives) return reason === "out" ? "nearest-five" : "difference";
  if (reason === "blocked" && ruleset.blocked === "minus-own") return "minus-own";
  return "opponents";
}
