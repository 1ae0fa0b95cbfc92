/** The one line that says what goes on, and what is wanted of the reader. */
import { t } from "../../../texts";
import type { TableState } from "../../../game/state";
import { isMyTurn, laying, mayDraw, mayPass } from "./controls";
import { endsText, seatName, type Told } from "./sentences";

export function statusText(state: TableState, told: Told, chosen: string | null, lost: boolean): string {
  const { view } = told;
  if (lost) return t("table.status-lost");
  if (state.pending !== null) return t("table.status-sending");
  switch (view.status) {
    case "waiting":
      return t("table.status-waiting");
    case "pausing":
      return t("table.status-pausing", { round: view.round });
    case "finished":
      return t("table.status-finished");
    case "expired":
      return t("table.expired");
    default:
      return isMyTurn(view) ? ownTurnText(told, chosen) : othersTurnText(told);
  }
}

function ownTurnText({ view }: Told, chosen: string | null): string {
  if (mayDraw(view)) return t("table.status-draw", { ends: endsText(view.ends) });
  if (mayPass(view)) return t("table.status-pass", { ends: endsText(view.ends) });
  if (chosen !== null && laying(view, chosen).kind === "ends") return t("table.status-choose-end", { tile: chosen });
  if (chosen !== null) return t("table.status-lay", { tile: chosen });
  if (view.forced_tile !== null) return t("table.status-forced", { tile: view.forced_tile });
  return t(view.layout.length === 0 ? "table.status-open" : "table.status-choose");
}

function othersTurnText(told: Told): string {
  const { to_move } = told.view;
  return to_move === null ? "" : t("table.status-others-turn", { name: seatName(told, to_move) });
}
