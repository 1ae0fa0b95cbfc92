/** Between two rounds: the hands lie open, the points are explained, and people say when they are ready. */
import { t } from "../../../texts";
import { Button, formatList } from "../../../ui";
import { pauseLeftMs } from "../model/clocks";
import { randomSeed } from "../model/controls";
import { seatName } from "../model/sentences";
import { type Desk, useDesk, useNow } from "./desk";
import { RoundResult } from "./round_result";
import { ScoreSheet } from "./score_sheet";
import { Sheet } from "./sheet";

export function RoundEnd() {
  const desk = useDesk();
  const last = desk.view.last_round;
  if (last === null) return null;
  return (
    <Sheet title={t("table.round-over", { round: last.round })} actions={<NextRound />}>
      <RoundResult last={last} />
      <ScoreSheet />
      <Ready {...desk} />
    </Sheet>
  );
}

function NextRound() {
  const desk = useDesk();
  const now = useNow(true);
  const seconds = Math.ceil((pauseLeftMs(desk.view, now) ?? 0) / 1_000);
  const own = desk.view.you === null ? undefined : desk.view.seats[desk.view.you - 1];
  const waits = t("table.next-comes", { count: seconds });
  if (desk.view.ruleset.next_round === "host") {
    return desk.hosts ? (
      <Button kind="primary" large onClick={() => void desk.endPause()}>
        {t("table.deal-now")} · {seconds}
      </Button>
    ) : (
      <p>{waits}</p>
    );
  }
  if (own === undefined || own.left) return <p>{waits}</p>;
  const ready = () => void desk.act({ type: "next-round", round: desk.view.round, client_seed: randomSeed() });
  return (
    <Button kind="primary" large disabled={own.ready} onClick={ready}>
      {own.ready ? t("table.waiting-for-others", { count: seconds }) : `${t("table.next-round")} · ${seconds}`}
    </Button>
  );
}

function Ready(desk: Desk) {
  const ready = desk.view.seats.filter((seat) => seat.ready && !seat.bot);
  return (
    <p aria-live="polite">
      {ready.length === 0
        ? "\u00a0"
        : t("table.ready", { names: formatList(ready.map((seat) => seatName(desk, seat.seat))) })}
    </p>
  );
}
