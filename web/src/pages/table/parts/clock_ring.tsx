/** A ring that empties while a seat is to move, around its first letter or the seconds that are left. */
import { Icon } from "../../../ui";
import { turnCountdown } from "../model/clocks";
import type { SeatShown } from "../model/seating";
import { useDesk, useNow } from "./desk";
import "./clock_ring.css";

const SHOW_SECONDS_MS = 100_000;

export function ClockRing({ seat }: { seat: SeatShown }) {
  const { view, lost } = useDesk();
  const now = useNow(seat.toMove);
  const countdown = seat.toMove ? turnCountdown(view, now) : null;
  const classes = [
    "clock-ring",
    seat.toMove && "clock-ring--to-move",
    countdown?.warns && "clock-ring--warns",
    countdown?.kind === "autopilot" && "clock-ring--autopilot",
    lost && "clock-ring--still",
  ];
  return (
    <span class={classes.filter(Boolean).join(" ")} aria-hidden="true">
      <svg class="clock-ring__svg" viewBox="0 0 40 40">
        <circle class="clock-ring__track" cx="20" cy="20" r="18" />
        {seat.toMove && (
          <circle
            class="clock-ring__left"
            cx="20"
            cy="20"
            r="18"
            pathLength="100"
            stroke-dasharray={`${((countdown?.part ?? 1) * 100).toFixed(1)} 200`}
          />
        )}
      </svg>
      <span class="clock-ring__inside">
        <Inside seat={seat} leftMs={countdown?.kind === "turn" ? countdown.leftMs : null} />
      </span>
    </span>
  );
}

function Inside({ seat, leftMs }: { seat: SeatShown; leftMs: number | null }) {
  if (leftMs !== null && leftMs < SHOW_SECONDS_MS) return <>{Math.ceil(leftMs / 1_000)}</>;
  if (seat.bot || seat.autopilot) return <Icon name="bot" />;
  return <>{(Array.from(seat.name)[0] ?? "").toUpperCase()}</>;
}
