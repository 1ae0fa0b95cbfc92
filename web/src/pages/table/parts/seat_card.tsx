/** Another seat: who sits there, how many tiles are left, what has been passed on, and what was said last. */
import { t } from "../../../texts";
import { formatList, Icon } from "../../../ui";
import type { SeatShown } from "../model/seating";
import { Bubble } from "./bubble";
import { ClockRing } from "./clock_ring";
import { MatchClock } from "./match_clock";
import "./seat_card.css";

const BACKS_MAX = 7;
const PASSES_SHOWN = 3;

export function SeatCard({ seat, onOpen }: { seat: SeatShown; onOpen: (seat: number) => void }) {
  const classes = ["seat-card", seat.toMove && "seat-card--to-move", seat.partner && "seat-card--partner"];
  return (
    <li class={classes.filter(Boolean).join(" ")} data-seat={seat.seat}>
      <button type="button" class="seat-card__button" onClick={() => onOpen(seat.seat)}>
        <ClockRing seat={seat} />
        <span class="seat-card__who">
          <span class="seat-card__name">{seat.name}</span>
          <Marks seat={seat} />
        </span>
        <span class="seat-card__score">
          <span class="visually-hidden">{t("table.score")} </span>
          {seat.score}
        </span>
        <span class="seat-card__row">
          <Backs count={seat.tiles} />
          <MatchClock seat={seat} />
        </span>
        <Passes passes={seat.passes} />
        {seat.toMove && <span class="visually-hidden">{t("table.is-to-move")}</span>}
      </button>
      <Bubble account={seat.account} />
    </li>
  );
}

/** What is to be known of who plays this seat; one line is kept for it. */
export function Marks({ seat }: { seat: SeatShown }) {
  const marks = marksOf(seat);
  const alarming = seat.autopilot || seat.left || !seat.seated;
  return <span class={alarming ? "seat-marks seat-marks--away" : "seat-marks"}>{formatMarks(marks)}</span>;
}

const formatMarks = (marks: string[]): string => (marks.length === 0 ? "\u00a0" : marks.join(" · "));

function marksOf(seat: SeatShown): string[] {
  const marks: string[] = [];
  if (seat.left) marks.push(t("table.left"));
  else if (seat.autopilot) marks.push(t("table.autopilot"));
  else if (!seat.seated && !seat.bot) marks.push(t("table.not-here-yet"));
  if (seat.bot) marks.push(seat.strength === null ? t("common.bot") : botText(seat.strength));
  if (seat.partner) marks.push(t("table.partner"));
  return marks;
}

function botText(strength: NonNullable<SeatShown["strength"]>): string {
  return `${t("common.bot")}, ${t(`common.strength-${strength}`)}`;
}

function Backs({ count }: { count: number }) {
  return (
    <span class="seat-card__tiles">
      <span class="seat-card__backs" aria-hidden="true">
        {Array.from({ length: Math.min(count, BACKS_MAX) }, (_, index) => (
          <span class="seat-card__back" key={index} />
        ))}
      </span>
      <span aria-hidden="true">{count}</span>
      <span class="visually-hidden">{t("common.tiles", { count })}</span>
    </span>
  );
}

export function Passes({ passes }: { passes: SeatShown["passes"] }) {
  const latest = passes.slice(-PASSES_SHOWN);
  const numbers = latest.map((ends) => [...new Set(ends)].join(" "));
  return (
    <span class="seat-card__passes">
      {latest.length > 0 && (
        <>
          <Icon name="close" />
          <span class="visually-hidden">{t("table.passed-on", { ends: formatList(numbers) })}</span>
          {numbers.map((text, index) => (
            <span class="seat-card__pass" aria-hidden="true" key={`${index}-${text}`}>
              {text}
            </span>
          ))}
        </>
      )}
    </span>
  );
}
