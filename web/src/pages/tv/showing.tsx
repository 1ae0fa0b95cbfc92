/** A match on the screen: the layout as large as it goes, and around it what everybody in the room wants to know. */
import { useEffect, useState } from "preact/hooks";
import { Board } from "../../board";
import type { Screen } from "../../client/screen";
import type { TableState } from "../../game/state";
import { t } from "../../texts";
import type { PrivateRoom } from "../../wire/generated";
import { nameAt } from "../join/names";
import { spokenCode } from "../room/code";
import { Qr } from "../room/qr";
import { matchClockMs, pauseLeftMs, turnCountdown } from "../table/model/clocks";
import { seatName, sentenceOf, type Told } from "../table/model/sentences";
import { seatShown } from "../table/model/seating";
import { totalNow } from "../table/model/totals";
import { Round } from "./round";
import { ScreenSeat } from "./screen-seat";

interface ShowingProps {
  room: PrivateRoom;
  state: TableState;
  screen: Screen;
}

const TICK_MS = 500;

export function Showing({ room, state, screen }: ShowingProps) {
  const { view } = state;
  const told: Told = { view, nameOf: (account, seat) => nameAt(room, account, seat) };
  const now = useScreenClock(screen, view.status === "playing" || view.status === "pausing");
  const happened = useHappened(state, told);
  const seats = view.seats.map((entry) => seatShown(view, entry.seat, told.nameOf));
  const countdown = turnCountdown(view, now);
  return (
    <section class="tv-table">
      <ol class={`tv-table__seats tv-table__seats--${seats.length}`}>
        {seats.map((seat) => (
          <ScreenSeat
            key={seat.seat}
            seat={seat}
            leftMs={seat.toMove && countdown?.kind === "turn" ? countdown.leftMs : null}
            warns={seat.toMove && countdown?.warns === true}
            clockMs={matchClockMs(view, seat.seat, now)}
            pairs={view.ruleset.pairs}
          />
        ))}
      </ol>
      <div class="tv-table__board">
        <Board
          plays={view.layout}
          ends={view.ends}
          chosen={null}
          targets={[]}
          onTarget={() => {}}
          spinner={view.ruleset.spinner}
          lastPlayed={view.layout.length - 1}
          label={t("tv.board")}
          large
        />
        {view.status === "pausing" && view.last_round !== null && (
          <Round view={view} last={view.last_round} told={told} leftMs={pauseLeftMs(view, now)} />
        )}
      </div>
      <footer class="tv-table__foot">
        <p class="tv-table__turn">{turnText(told)}</p>
        <p class="tv-table__happened">{happened}</p>
        <p class="tv-table__facts">
          {view.boneyard > 0 && view.ruleset.drawing && <span>{t("tv.boneyard", { count: view.boneyard })}</span>}
          {view.ruleset.fives && view.layout.length > 0 && <span>{t("tv.total", { total: totalNow(view) })}</span>}
          <span>{t("tv.target", { target: view.ruleset.target })}</span>
        </p>
        <div class="tv-table__way">
          <span class="tv-table__code">{spokenCode(room.code)}</span>
          <Qr code={room.code} small />
        </div>
      </footer>
    </section>
  );
}

function turnText(told: Told): string {
  const { view } = told;
  if (view.status === "waiting") return t("tv.sitting-down");
  if (view.to_move === null) return t("tv.round", { round: view.round });
  return t("tv.turn", { name: seatName(told, view.to_move) });
}

/** The last thing that was worth a sentence; it stands until the next one. */
function useHappened(state: TableState, told: Told): string {
  const [happened, setHappened] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told hangs on the version alone
  useEffect(() => {
    const last = state.events.map((event) => sentenceOf(event, told)).findLast((sentence) => sentence !== null);
    if (last) setHappened(last);
  }, [state.version]);
  return happened;
}

function useScreenClock(screen: Screen, running: boolean): number {
  const [now, setNow] = useState(() => screen.clock.now());
  const lost = screen.connection.value.kind === "lost";
  useEffect(() => {
    if (!running || lost) return;
    setNow(screen.clock.now());
    const timer = setInterval(() => setNow(screen.clock.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [screen, running, lost]);
  return now;
}
