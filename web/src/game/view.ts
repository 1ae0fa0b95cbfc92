/** The table as the server shows it to one seat or to somebody who looks on (`domino_rules.table.view`). Tiles are
 * texts as on the wire, `6-3`; seats count from 1; times are milliseconds of the log. */

export type Seat = number;
export type Tile = string;
export type Pips = number;
export type End = "left" | "right" | "up" | "down";
export type PlayEnd = End | "start";
export type Preset = "draw" | "block" | "duel-draw" | "all-fives" | "party";
export type Status = "waiting" | "playing" | "pausing" | "finished" | "expired";
export type Strength = "beginner" | "normal" | "expert";

/** Every option of a match; the last two are missing where they have the preset's own value. */
export interface Ruleset {
  preset: Preset;
  seats: number;
  hand_size: number;
  pairs: boolean;
  target: number;
  drawing: boolean;
  spinner: boolean;
  round_cap: number | null;
  tie_at_cap: "drawn" | "extra-rounds";
  boneyard_reserve: number;
  stop_on_dead_end: boolean;
  forced: "auto" | "manual";
  opening: "highest-double" | "house" | "lot";
  after_win: "winner" | "as-first";
  after_tie: "as-first" | "next-seat";
  blocked: "minus-own" | "opponents";
  fives: boolean;
  turn_ms: number | null;
  clock_ms: number | null;
  pause_ms: number;
  out_of_time?: "autopilot" | "this-turn";
  next_round?: "all" | "host";
}

export interface SeatView {
  seat: Seat;
  account: string;
  bot: boolean;
  seated: boolean;
  autopilot: boolean;
  left: boolean;
  strength: Strength | null;
  ready: boolean;
  tiles: number;
}

export interface LayoutPlay {
  seat: Seat;
  tile: Tile;
  end: PlayEnd;
}

/** The numbers that were open when the seat passed. */
export interface Pass {
  seat: Seat;
  ends: Pips[];
}

/** `plays` tiles lay when the seat drew `count`. */
export interface Drawing {
  seat: Seat;
  count: number;
  ends: Pips[];
  plays: number;
}

/** `credit_ms`: what the seat to move was given back in this turn, if anything. */
export interface DeadlineView {
  kind: string;
  set_at: number;
  due_at: number;
  credit_ms?: number;
}

export interface Revealed {
  round: number;
  commitment: string;
  server_seed: string;
}

/** How a round ended: pips left by seat, the winner's points, the scores after it, and the hands, opened. */
export interface LastRound {
  round: number;
  reason: string;
  pips: number[];
  winner: Seat | null;
  points: number;
  scores: number[];
  next_opener: Seat | null;
  next_forced: boolean;
  hands: Tile[][];
}

export interface MatchResult {
  reason: string;
  winner: Seat[];
  scores: number[];
}

/** `you` is null where one looks on, and then there is no hand. `scores` has one entry a side, pairs: seats 1+3 first. */
export interface TableView {
  table_id: string;
  status: Status;
  ruleset: Ruleset;
  rules_version: string;
  region: string;
  you: Seat | null;
  seats: SeatView[];
  round: number;
  turn: number;
  to_move: Seat | null;
  layout: LayoutPlay[];
  ends: Partial<Record<End, Pips>>;
  boneyard: number;
  hand: Tile[] | null;
  legal: string[];
  opener: Seat | null;
  forced_tile: Tile | null;
  scores: number[];
  passes: Pass[];
  draws: Drawing[];
  clocks: number[] | null;
  deadline: DeadlineView | null;
  commitment: string | null;
  client_seeds: string[];
  revealed: Revealed[];
  last_round: LastRound | null;
  result: MatchResult | null;
}

/** What happened, as this seat may see it; others' drawn tiles are a count. */
export type TableEventView =
  | { type: "round-dealt"; round: number; hand: Tile[] | null; tiles: number[]; boneyard: number; opener: Seat }
  | { type: "tile-played"; seat: Seat; tile: Tile; end: PlayEnd; ends_total: number; points: number; scores: number[] }
  | { type: "tiles-drawn"; seat: Seat; count: number; tiles?: Tile[] }
  | { type: "passed"; seat: Seat }
  | { type: "round-ended"; reason: string; pips: number[]; winner: Seat | null; points: number; scores: number[] }
  | { type: "match-ended"; reason: string; winner: Seat[]; scores: number[] }
  | { type: "autopilot-started"; seat: Seat; reason: "timeout" | "left" }
  | { type: "autopilot-stopped" | "player-left" | "player-returned" | "player-ready" | "player-seated"; seat: Seat }
  | { type: "pause-started"; round: number; set_at: number; due_at: number }
  | { type: "seed-revealed"; round: number; server_seed: string };
