/** The open numbers as half tiles, so that one need not look up at the screen for each of them. */
import { t } from "../../texts";
import type { TableView } from "../../game/view";
import { totalNow } from "../table/model/totals";
import { HalfTile } from "./half-tile";

export function Ends({ view }: { view: TableView }) {
  const ends = Object.entries(view.ends).filter((end): end is [string, number] => end[1] !== undefined);
  return (
    <section class="phone__ends" aria-label={t("join.ends")}>
      {ends.length === 0 && <p class="phone__empty">{t("join.nothing-lies")}</p>}
      {ends.map(([end, number]) => (
        <figure key={end} class="phone__end">
          <HalfTile pips={number} />
          <figcaption>{t(`common.end-${end as "left" | "right" | "up" | "down"}`)}</figcaption>
        </figure>
      ))}
      {view.ruleset.fives && ends.length > 0 && (
        <p class="phone__total">{t("join.total", { total: totalNow(view) })}</p>
      )}
    </section>
  );
}
