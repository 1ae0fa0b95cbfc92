/** The hands as they lie open after a round, with their pips. */
import { TileFace } from "../../../board";
import { t } from "../../../texts";
import type { LastRound } from "../../../game/view";
import { seatName } from "../model/sentences";
import { useDesk } from "./desk";
import "./opened_hands.css";

export function OpenedHands({ last }: { last: LastRound }) {
  const desk = useDesk();
  return (
    <ul class="opened-hands" aria-label={t("table.hands-opened")}>
      {last.hands.map((hand, index) => (
        <li class="opened-hands__hand" key={index}>
          <span class="opened-hands__name">{seatName(desk, index + 1)}</span>
          <span class="opened-hands__tiles">
            {hand.length === 0 && <span class="opened-hands__out">{t("table.is-out")}</span>}
            {hand.map((tile) => (
              <TileFace key={tile} tile={tile} orientation="upright" size={22} />
            ))}
          </span>
          <span class="opened-hands__pips">{t("table.pips", { count: last.pips[index] ?? 0 })}</span>
        </li>
      ))}
    </ul>
  );
}
