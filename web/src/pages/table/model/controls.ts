/** What a tap, a key or a button does for the seat to move, in every preset. */
import type { PlayerCommand } from "../../../wire/generated";
import type { PlayEnd, TableView } from "../../../game/view";

export interface LegalPlay {
  tile: string;
  end: PlayEnd;
}

export type Tap =
  | { kind: "play"; play: LegalPlay }
  | { kind: "choose"; tile: string }
  | { kind: "let-go" }
  | { kind: "fits-nowhere"; tile: string }
  | { kind: "bound"; tile: string; forced: string };

/** The plays among the legal actions, as the server lists them: `6-3@left`. */
export function playsOf(view: TableView): LegalPlay[] {
  return view.legal.flatMap((action) => {
    const [tile, end] = action.split("@");
    return tile !== undefined && end !== undefined ? [{ tile, end: end as PlayEnd }] : [];
  });
}

export function endsFor(view: TableView, tile: string): PlayEnd[] {
  return playsOf(view)
    .filter((play) => play.tile === tile)
    .map((play) => play.end);
}

export function playableTiles(view: TableView): Set<string> {
  return new Set(playsOf(view).map((play) => play.tile));
}

export const mayDraw = (view: TableView): boolean => view.legal.includes("draw");
export const mayPass = (view: TableView): boolean => view.legal.includes("pass");
export const isMyTurn = (view: TableView): boolean => view.you !== null && view.to_move === view.you;

/** A tap on a tile of the hand. In `party` one legal end is enough to play; elsewhere the tile is chosen first, and a
 * second tap lets it go. */
export function tap(view: TableView, tile: string, chosen: string | null): Tap {
  const ends = endsFor(view, tile);
  if (isMyTurn(view) && ends.length === 0) {
    const forced = view.forced_tile;
    return forced !== null && forced !== tile ? { kind: "bound", tile, forced } : { kind: "fits-nowhere", tile };
  }
  const [only, another] = ends;
  if (view.ruleset.preset === "party" && only !== undefined && another === undefined) {
    return { kind: "play", play: { tile, end: only } };
  }
  return tile === chosen ? { kind: "let-go" } : { kind: "choose", tile };
}

/** How the chosen tile is laid: by one button that names no end, or by a button for each end. */
export type Laying = { kind: "nothing" } | { kind: "lay-this"; play: LegalPlay } | { kind: "ends"; plays: LegalPlay[] };

export function laying(view: TableView, chosen: string | null): Laying {
  const plays = playsOf(view).filter((play) => play.tile === chosen);
  const [only] = plays;
  if (only === undefined) return { kind: "nothing" };
  const endIsNamed = view.ruleset.preset === "duel-draw" || view.ruleset.preset === "all-fives";
  if (plays.length === 1 && (only.end === "start" || !endIsNamed)) return { kind: "lay-this", play: only };
  return { kind: "ends", plays };
}

/** The open ends show different numbers, so that a number is enough to name an end. */
export function numbersTellEnds(view: TableView, plays: readonly LegalPlay[]): boolean {
  const numbers = plays.map((play) => (play.end === "start" ? -1 : view.ends[play.end]));
  return new Set(numbers).size === numbers.length;
}

export function playCommand(view: TableView, play: LegalPlay): PlayerCommand {
  return { type: "play-tile", turn: view.turn, tile: play.tile, end: play.end };
}

/** 24 characters that nobody can foresee: this seat's part of the shuffle. */
export function randomSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
