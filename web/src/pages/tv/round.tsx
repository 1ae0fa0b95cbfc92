/** The end of a round: all hands lie open, and who has won what. */
import { TileFace } from "../../board";
import type { LastRound, TableView } from "../../game/view";
import { t } from "../../texts";
import { explainRound } from "../table/model/round_end";
import { seatName, type Told } from "../table/model/sentences";
import { outcomeText } from "../table/parts/round_result";

interface RoundProps {
  view: TableView;
  last: LastRound;
  told: Told;
  leftMs: number | null;
}

export function Round({ view, last, told, leftMs }: RoundProps) {
  const explained = explainRound(view.ruleset, last);
  return (
    <div class="tv-round">
      <p class="tv-round__outcome">{outcomeText(explained, told)}</p>
      <ul class="tv-round__hands">
        {last.hands.map((hand, index) => (
          <li class="tv-round__hand" key={told.view.seats[index]?.account ?? index}>
            <span class="tv-round__name">{seatName(told, index + 1)}</span>
            <span class="tv-round__tiles">
              {hand.length === 0 ? (
                <span class="tv-round__out">{t("table.is-out")}</span>
              ) : (
                hand.map((tile) => <TileFace key={tile} tile={tile} />)
              )}
            </span>
            <span class="tv-round__pips">{t("table.pips", { count: last.pips[index] ?? 0 })}</span>
          </li>
        ))}
      </ul>
      {leftMs !== null && <p class="tv-round__next">{t("tv.next-round", { count: Math.ceil(leftMs / 1_000) })}</p>}
    </div>
  );
}
