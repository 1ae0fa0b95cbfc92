/** One seat on the screen: name, tiles, points, and the time that runs. */
import { t } from "../../texts";
import { formatClock } from "../../ui";
import type { SeatShown } from "../table/model/seating";

interface ScreenSeatProps {
  seat: SeatShown;
  /** Of the turn's timer, where one runs for this seat. */
  leftMs: number | null;
  warns: boolean;
  clockMs: number | null;
  pairs: boolean;
}

export function ScreenSeat({ seat, leftMs, warns, clockMs, pairs }: ScreenSeatProps) {
  const classes = [
    "tv-seat",
    seat.toMove && "tv-seat--to-move",
    warns && "tv-seat--warns",
    pairs && `tv-seat--side-${seat.seat % 2}`,
  ];
  return (
    <li class={classes.filter(Boolean).join(" ")}>
      <span class="tv-seat__name">{seat.name}</span>
      <span class="tv-seat__score">{seat.score}</span>
      <span class="tv-seat__tiles">
        <span class="tv-seat__backs" aria-hidden="true">
          {Array.from({ length: Math.min(seat.tiles, 7) }, (_, index) => (
            <span class="tv-seat__back" key={index} />
          ))}
        </span>
        <span aria-hidden="true">{seat.tiles}</span>
        <span class="visually-hidden">{t("common.tiles", { count: seat.tiles })}</span>
      </span>
      <span class="tv-seat__time">{timeText(seat, leftMs, clockMs)}</span>
    </li>
  );
}

function timeText(seat: SeatShown, leftMs: number | null, clockMs: number | null): string {
  if (seat.autopilot || seat.left) return t("tv.autopilot");
  if (leftMs !== null) return String(Math.ceil(leftMs / 1_000));
  return clockMs === null ? "" : formatClock(clockMs);
}
