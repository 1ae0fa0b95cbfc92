/** Who has won the round, why, and how the points were counted. */
import { t } from "../../../texts";
import type { LastRound } from "../../../game/view";
import { explainRound, type RoundExplained } from "../model/round_end";
import { seatName, sideName, type Told } from "../model/sentences";
import { useDesk } from "./desk";
import { OpenedHands } from "./opened_hands";

export function RoundResult({ last }: { last: LastRound }) {
  const desk = useDesk();
  const explained = explainRound(desk.view.ruleset, last);
  return (
    <>
      <p>
        <strong>{outcomeText(explained, desk)}</strong> {countedText(explained)}
      </p>
      <OpenedHands last={last} />
      {desk.view.ruleset.pairs && <PairSums explained={explained} />}
    </>
  );
}

export function outcomeText({ reason, winner, points }: RoundExplained, told: Told): string {
  if (winner === null) return t("table.round-tied");
  const mine = winner === told.view.you;
  const values = { name: seatName(told, winner), count: points };
  if (reason === "out") return t(mine ? "table.round-you-out" : "table.round-out", values);
  return t(mine ? "table.round-you-lowest" : "table.round-lowest", values);
}

/** "18 − 5 = 13": the others' pips, less or not less the winner's own. */
export function countedText({ counted, sums, points }: RoundExplained): string {
  if (counted === null) return t("table.counted-nobody");
  const own = sums.find((sum) => sum.won)?.pips ?? 0;
  const others = sums.filter((sum) => !sum.won).map((sum) => sum.pips);
  const sum = others.join(" + ");
  const values = { sum, own, points, total: others.reduce((total, pips) => total + pips, 0) };
  switch (counted) {
    case "minus-own":
      return t("table.counted-minus-own", values);
    case "difference":
      return t("table.counted-difference", { ...values, difference: values.total - own });
    case "nearest-five":
      return t("table.counted-nearest-five", values);
    default:
      return others.length > 1 ? t("table.counted-sum", values) : t("table.counted-one", values);
  }
}

function PairSums({ explained }: { explained: RoundExplained }) {
  const desk = useDesk();
  return (
    <p>
      {explained.sums
        .map((sum, side) => t("table.side-pips", { name: sideName(desk, side), count: sum.pips }))
        .join(" · ")}
    </p>
  );
}
