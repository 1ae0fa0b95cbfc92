/** What the open ends count in all fives: now, and after a play. */
import type { LayoutPlay, TableView } from "../../../game/view";
import type { LegalPlay } from "./controls";

type Ends = Partial<Record<string, number>>;

const halves = (tile: string): [number, number] => [Number(tile[0]), Number(tile[2])];
const isDouble = (tile: string): boolean => tile[0] === tile[2];

/** The outermost tile at that end; the opening tile is outermost on both main sides until something covers it. */
function tip(plays: readonly LayoutPlay[], end: string): string | null {
  const last = plays.findLast((play) => play.end === end);
  if (last) return last.tile;
  return end === "left" || end === "right" ? (plays[0]?.tile ?? null) : null;
}

/** A double counts both halves, a lone opening tile its pips once, a bare arm nothing. */
export function endsTotal(plays: readonly LayoutPlay[], ends: Ends): number {
  const [opening, second] = plays;
  if (opening === undefined) return 0;
  if (second === undefined) {
    const [high, low] = halves(opening.tile);
    return high + low;
  }
  let total = 0;
  for (const [end, number] of Object.entries(ends)) {
    const tile = tip(plays, end);
    if (tile !== null && number !== undefined) total += isDouble(tile) ? 2 * number : number;
  }
  return total;
}

export function totalNow(view: TableView): number {
  return endsTotal(view.layout, view.ends);
}

/** The ends' total once the play lies there. */
export function totalAfter(view: TableView, play: LegalPlay): number {
  const plays = [...view.layout, { seat: view.you ?? 1, tile: play.tile, end: play.end }];
  const [high, low] = halves(play.tile);
  if (play.end === "start") return endsTotal(plays, { left: high, right: low });
  const ends: Ends = { ...view.ends, [play.end]: high + low - (view.ends[play.end] ?? 0) };
  // Arms that this play opens are bare and count nothing, but the spinner between them counts no more: its tips are
  // covered, which `tip` sees by itself.
  return endsTotal(plays, ends);
}

/** What such a total scores. */
export function fives(total: number): number {
  return total > 0 && total % 5 === 0 ? total : 0;
}
