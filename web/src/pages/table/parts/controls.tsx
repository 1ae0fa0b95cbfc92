/** The buttons of the own turn. Their place is kept when there are none. */
import { t } from "../../../texts";
import { Button, type IconName } from "../../../ui";
import type { PlayEnd } from "../../../game/view";
import { isMyTurn, type LegalPlay, laying, mayDraw, mayPass, numbersTellEnds } from "../model/controls";
import { fives, totalAfter } from "../model/totals";
import { type Desk, useDesk } from "./desk";
import "./controls.css";

const ARROWS: Readonly<Record<Exclude<PlayEnd, "start">, IconName>> = {
  left: "arrow-left",
  right: "arrow-right",
  up: "arrow-up",
  down: "arrow-down",
};

export function Controls() {
  const desk = useDesk();
  return (
    <div class="controls" role="group" aria-label={t("table.controls")}>
      <Wanted {...desk} />
    </div>
  );
}

function Wanted(desk: Desk) {
  const { view, chosen, state } = desk;
  const own = view.you === null ? undefined : view.seats[view.you - 1];
  if (own?.left || own?.autopilot) return <TakeBack {...desk} />;
  if (view.status !== "playing" || !isMyTurn(view) || state.pending !== null) return null;
  if (mayDraw(view)) return <Turn name={t("table.draw")} type="draw-tiles" {...desk} />;
  if (mayPass(view)) return <Turn name={t("table.pass")} type="pass-turn" {...desk} />;
  const how = laying(view, chosen);
  if (how.kind === "lay-this") return <LayThis play={how.play} />;
  return how.kind === "ends" ? <EndButtons plays={how.plays} /> : null;
}

function TakeBack({ act, view }: Desk) {
  if (view.status === "finished" || view.status === "expired") return null;
  return (
    <Button kind="primary" large wide onClick={() => void act({ type: "return-to-seat" })}>
      {t("table.take-back")}
    </Button>
  );
}

function Turn({ name, type, act, view }: Desk & { name: string; type: "draw-tiles" | "pass-turn" }) {
  return (
    <Button kind="primary" large wide onClick={() => void act({ type, turn: view.turn })}>
      {name}
    </Button>
  );
}

function LayThis({ play }: { play: LegalPlay }) {
  const { play: lay, view } = useDesk();
  return (
    <Button kind="primary" large wide onClick={() => lay(play)}>
      {t("table.lay-this", { tile: play.tile })}
      {view.ruleset.fives && <Gain play={play} />}
    </Button>
  );
}

function EndButtons({ plays }: { plays: readonly LegalPlay[] }) {
  const { view } = useDesk();
  const byNumber = numbersTellEnds(view, plays);
  return (
    <div class="controls__ends" onKeyDown={moveAmongButtons}>
      {plays.map((play) => (
        <EndButton key={play.end} play={play} named={!byNumber} />
      ))}
    </div>
  );
}

/** An end is told by its number, and by its direction where two show the same. */
function EndButton({ play, named }: { play: LegalPlay; named: boolean }) {
  const { play: lay, view } = useDesk();
  if (play.end === "start") return null;
  const number = view.ends[play.end] ?? 0;
  return (
    <Button kind="primary" large icon={ARROWS[play.end]} class="controls__end" onClick={() => lay(play)}>
      <span class="visually-hidden">{t("table.lay-at", { end: t(`common.end-${play.end}`), number })} </span>
      <span aria-hidden="true" class={named ? "controls__number controls__number--soft" : "controls__number"}>
        {number}
      </span>
      {view.ruleset.fives && <Gain play={play} />}
    </Button>
  );
}

/** All fives: what the ends total after this play, and what that scores. */
function Gain({ play }: { play: LegalPlay }) {
  const { view } = useDesk();
  const total = totalAfter(view, play);
  const points = fives(total);
  return (
    <span class="controls__gain">
      <span class="visually-hidden">{t("table.total-after", { total, count: points })}</span>
      <span aria-hidden="true">{points > 0 ? `= ${total} · +${points}` : `= ${total}`}</span>
    </span>
  );
}

/** Arrow keys go from one end's button to the next. */
function moveAmongButtons(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
