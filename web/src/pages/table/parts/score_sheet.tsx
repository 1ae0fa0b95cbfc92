/** Who has scored what in which round. */
import { t } from "../../../texts";
import { sideName } from "../model/sentences";
import { sidesOf } from "../model/rulesets";
import { type SheetRow, sheetOf, startsLate } from "../model/score_sheet";
import { useDesk } from "./desk";
import "./score_sheet.css";

export function ScoreSheet() {
  const { view, state } = useDesk();
  const rows = sheetOf(state.roundLog);
  const sides = sidesOf(view.ruleset).map((_, side) => side);
  return (
    <div class="score-sheet">
      <table class="score-sheet__table">
        <caption class="score-sheet__caption">
          {t("table.sheet-caption", { target: view.ruleset.target })}
        </caption>
        <Head sides={sides} />
        <tbody>
          {rows.map((row, index) => (
            <Row key={row.round} row={row} upTo={index === 0 && startsLate(rows)} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("table.total")}</th>
            {sides.map((side) => (
              <td key={side}>{view.scores[side] ?? 0}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Head({ sides }: { sides: readonly number[] }) {
  const desk = useDesk();
  return (
    <thead>
      <tr>
        <th scope="col">{t("table.round")}</th>
        {sides.map((side) => (
          <th scope="col" key={side}>
            {sideName(desk, side)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Row({ row, upTo }: { row: SheetRow; upTo: boolean }) {
  return (
    <tr>
      <th scope="row">{upTo ? t("table.rounds-to", { round: row.round }) : row.round}</th>
      {row.gains.map((gain, side) => (
        <td key={side}>{gain > 0 ? `+${gain}` : row.tied ? "–" : "0"}</td>
      ))}
    </tr>
  );
}
