/** Who sits where, as this seat sees it. */
import type { SeatView, TableView } from "../../../game/view";
import { sideOf } from "./rulesets";

export interface SeatShown {
  seat: number;
  account: string;
  name: string;
  bot: boolean;
  strength: SeatView["strength"];
  tiles: number;
  score: number;
  mine: boolean;
  partner: boolean;
  toMove: boolean;
  autopilot: boolean;
  left: boolean;
  seated: boolean;
  ready: boolean;
  /** The numbers that were open when the seat passed, one entry for each pass of this round. */
  passes: readonly (readonly number[])[];
  /** How many tiles the seat has drawn in this round. */
  drawn: number;
}

export type NameOf = (account: string, seat: number) => string;

export function seatShown(view: TableView, seat: number, nameOf: NameOf): SeatShown {
  const entry = view.seats[seat - 1] as SeatView;
  const partner = view.ruleset.pairs && view.you !== null && view.you !== seat && (view.you - seat) % 2 === 0;
  return {
    seat,
    account: entry.account,
    name: nameOf(entry.account, seat),
    bot: entry.bot,
    strength: entry.strength,
    tiles: entry.tiles,
    score: view.scores[sideOf(view.ruleset, seat)] ?? 0,
    mine: view.you === seat,
    partner,
    toMove: view.to_move === seat,
    autopilot: entry.autopilot,
    left: entry.left,
    seated: entry.seated,
    ready: entry.ready,
    passes: view.passes.filter((pass) => pass.seat === seat).map((pass) => pass.ends),
    drawn: view.draws.filter((draw) => draw.seat === seat).reduce((sum, draw) => sum + draw.count, 0),
  };
}

/** The other seats in playing order after mine; all of them for somebody who looks on. */
export function othersAround(view: TableView, nameOf: NameOf): SeatShown[] {
  const count = view.seats.length;
  const first = view.you ?? 0;
  const around = Array.from({ length: count }, (_, step) => ((first + step) % count) + 1);
  return around.filter((seat) => seat !== view.you).map((seat) => seatShown(view, seat, nameOf));
}

export function ownSeat(view: TableView, nameOf: NameOf): SeatShown | null {
  return view.you === null ? null : seatShown(view, view.you, nameOf);
}
