/** A seat's match clock; dimmed where the connection is lost and nobody knows. */
import { t } from "../../../texts";
import { formatClock } from "../../../ui";
import { matchClockMs, WARN_MS } from "../model/clocks";
import type { SeatShown } from "../model/seating";
import { useDesk, useNow } from "./desk";
import "./match_clock.css";

export function MatchClock({ seat }: { seat: SeatShown }) {
  const { view, lost } = useDesk();
  const now = useNow(seat.toMove && view.clocks !== null);
  const left = matchClockMs(view, seat.seat, now);
  if (left === null) return null;
  const classes = [
    "match-clock",
    seat.toMove && "match-clock--runs",
    left <= WARN_MS && "match-clock--warns",
    lost && "match-clock--still",
  ];
  return (
    <span class={classes.filter(Boolean).join(" ")}>
      <span class="visually-hidden">{t("table.clock-left")} </span>
      {formatClock(left)}
    </span>
  );
}
