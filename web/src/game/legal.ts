/** What the seat to move may do, out of the server's texts: `6-3@left`, `draw`, `pass`. */
import type { PlayEnd, TableView, Tile } from "./view";

const ENDS: ReadonlySet<string> = new Set(["start", "left", "right", "up", "down"]);

/** Each tile that may be played, with the ends that it fits, in the server's order: the heaviest first. */
export function legalPlays(view: Pick<TableView, "legal">): ReadonlyMap<Tile, readonly PlayEnd[]> {
  const plays = new Map<Tile, PlayEnd[]>();
  for (const text of view.legal) {
    const [tile, end] = text.split("@");
    if (tile !== undefined && isEnd(end)) plays.set(tile, [...(plays.get(tile) ?? []), end]);
  }
  return plays;
}

export function canDraw(view: Pick<TableView, "legal">): boolean {
  return view.legal.includes("draw");
}

export function canPass(view: Pick<TableView, "legal">): boolean {
  return view.legal.includes("pass");
}

function isEnd(text: string | undefined): text is PlayEnd {
  return text !== undefined && ENDS.has(text);
}
