/** The lower part of the page: the reader's own seat, hand and buttons. Somebody who looks on has none of them. */
import { Hand } from "../../../board";
import { t } from "../../../texts";
import { announce } from "../../../ui";
import { endsFor, isMyTurn, playableTiles, tap } from "../model/controls";
import { endsText } from "../model/sentences";
import { ownSeat } from "../model/seating";
import { statusText } from "../model/status";
import { Bubble } from "./bubble";
import { ClockRing } from "./clock_ring";
import { Controls } from "./controls";
import { type Desk, useDesk } from "./desk";
import { MatchClock } from "./match_clock";
import { Passes } from "./seat_card";
import "./own_area.css";

export function OwnArea() {
  const desk = useDesk();
  const { view } = desk;
  if (view.you === null) return <Status />;
  const mine = isMyTurn(view) && desk.state.pending === null;
  return (
    <div class={mine ? "own-area own-area--my-turn" : "own-area"}>
      <OwnBar {...desk} />
      <Hand
        tiles={view.hand ?? []}
        playable={playableTiles(view)}
        chosen={desk.chosen}
        onChoose={(tile) => tapOn(desk, tile)}
        onPlay={(tile) => playOf(desk, tile)}
        disabled={!mine}
      />
      <Controls />
    </div>
  );
}

export function Status() {
  const { state, chosen, lost, view, nameOf } = useDesk();
  return <p class="status">{statusText(state, { view, nameOf }, chosen, lost)}</p>;
}

function OwnBar({ view, nameOf }: Desk) {
  const seat = ownSeat(view, nameOf);
  if (seat === null) return null;
  return (
    <div class="own-bar">
      <ClockRing seat={seat} />
      <div class="own-bar__middle">
        <Status />
        <Credit />
      </div>
      {seat.passes.length > 0 && <Passes passes={seat.passes} />}
      <MatchClock seat={seat} />
      <span class="own-bar__score">
        <span class="visually-hidden">{t("table.your-score")} </span>
        {seat.score}
      </span>
      <Bubble account={seat.account} />
    </div>
  );
}

/** Time that this turn has got for the way to the reader. */
function Credit() {
  const { view } = useDesk();
  const credit = isMyTurn(view) ? (view.deadline?.credit_ms ?? 0) : 0;
  if (credit < 100) return null;
  return <p class="own-bar__credit">{t("table.credit", { seconds: (credit / 1_000).toFixed(1) })}</p>;
}

function tapOn(desk: Desk, tile: string): void {
  const { view, chosen, choose, play } = desk;
  const done = tap(view, tile, chosen);
  switch (done.kind) {
    case "play":
      return play(done.play);
    case "choose":
      return choose(done.tile);
    case "let-go":
      return choose(null);
    case "bound":
      return announce(t("table.must-open", { tile: done.forced }));
    case "fits-nowhere":
      return announce(t("table.fits-nowhere", { tile: done.tile, ends: endsText(view.ends) }));
  }
}

/** Enter on a tile: it is laid where there is one place for it; else the ends ask where. */
export function playOf({ view, choose, play }: Desk, tile: string): void {
  const [only, another] = endsFor(view, tile);
  if (only !== undefined && another === undefined) return play({ tile, end: only });
  if (only === undefined) return announce(t("table.fits-nowhere", { tile, ends: endsText(view.ends) }));
  choose(tile);
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".controls__ends button")?.focus());
}
