/** What the guide of each preset shows, step by step. Pictures are excerpts of a round: what lay before, and what one
 * turn changed of it. */
import type { TextKey } from "../../texts";
import type { Preset } from "../rules/presets";

export interface Lying {
  seat: number;
  tile: string;
  end: "start" | "left" | "right" | "up" | "down";
}

/** A moment: what lies, and what somebody holds. */
export interface Scene {
  layout?: readonly Lying[];
  hand?: readonly string[];
  /** Of the hand: the tile that the step is about. */
  chosen?: string;
  /** The hand of somebody else, open at a round's end. */
  others?: readonly string[];
}

export interface Step {
  id: StepId;
  before?: Scene;
  after: Scene;
}

/** `6-6 6-4@right` as it lies; seats take turns, two of them. */
export function lying(text: string): Lying[] {
  return text.split(" ").map((play, index) => {
    const [tile = "", end = "start"] = play.split("@");
    return { seat: (index % 2) + 1, tile, end: end as Lying["end"] };
  });
}

const tiles = (text: string) => text.split(" ");

const STEPS = {
  opening: {
    before: { hand: tiles("6-6 6-4 5-3 3-2 2-0"), chosen: "6-6" },
    after: { layout: lying("6-6"), hand: tiles("6-4 5-3 3-2 2-0") },
  },
  "house-opening": {
    before: { hand: tiles("6-4 5-3 5-5 3-2 2-0") },
    after: { layout: lying("5-5"), hand: tiles("6-4 5-3 3-2 2-0") },
  },
  lot: {
    before: { hand: tiles("6-5 5-3 4-2 2-0 1-0"), chosen: "4-2" },
    after: { layout: lying("4-2"), hand: tiles("6-5 5-3 2-0 1-0") },
  },
  match: {
    before: { layout: lying("6-6 6-2@left"), hand: tiles("6-4 5-3 5-0"), chosen: "6-4" },
    after: { layout: lying("6-6 6-2@left 6-4@right"), hand: tiles("5-3 5-0") },
  },
  ends: {
    before: { layout: lying("6-2 4-2@right"), hand: tiles("6-4 4-4 4-1"), chosen: "6-4" },
    after: { layout: lying("6-2 4-2@right 6-4@left"), hand: tiles("4-4 4-1") },
  },
  tap: {
    before: { layout: lying("6-6 6-4@right"), hand: tiles("4-1 3-0"), chosen: "4-1" },
    after: { layout: lying("6-6 6-4@right 4-1@right"), hand: tiles("3-0") },
  },
  draw: {
    before: { layout: lying("6-6 6-4@right"), hand: tiles("5-3 2-0") },
    after: { layout: lying("6-6 6-4@right"), hand: tiles("5-3 2-0 5-1 4-3"), chosen: "4-3" },
  },
  "draw-yourself": {
    before: { layout: lying("5-5 5-4@right"), hand: tiles("6-3 2-0") },
    after: { layout: lying("5-5 5-4@right"), hand: tiles("6-3 2-0 6-1 5-2"), chosen: "5-2" },
  },
  pass: {
    before: { layout: lying("6-4 6-1@left"), hand: tiles("5-3 3-2 2-0") },
    after: { layout: lying("6-4 6-1@left 4-4@right"), hand: tiles("5-3 3-2 2-0") },
  },
  "pass-yourself": {
    before: { layout: lying("6-4 6-1@left"), hand: tiles("5-3 3-2 2-0") },
    after: { layout: lying("6-4 6-1@left 4-4@right"), hand: tiles("5-3 3-2 2-0") },
  },
  clock: { after: { layout: lying("5-5 5-4@right 5-2@left"), hand: tiles("4-1 2-0") } },
  "short-turn": { after: { layout: lying("6-6 6-4@right"), hand: tiles("6-1 4-1") } },
  fives: {
    before: { layout: lying("4-2"), hand: tiles("4-3 6-2 1-0"), chosen: "4-3" },
    after: { layout: lying("4-2 4-3@left"), hand: tiles("6-2 1-0") },
  },
  doubles: {
    before: { layout: lying("5-5"), hand: tiles("5-0 4-2"), chosen: "5-0" },
    after: { layout: lying("5-5 5-0@right"), hand: tiles("4-2") },
  },
  totals: {
    before: { layout: lying("5-4 4-3@right"), hand: tiles("5-3 4-2"), chosen: "5-3" },
    after: { layout: lying("5-4 4-3@right 5-3@right"), hand: tiles("4-2") },
  },
  spinner: {
    before: { layout: lying("5-5 5-0@right 6-5@left 0-0@right"), hand: tiles("5-4 3-2"), chosen: "5-4" },
    after: { layout: lying("5-5 5-0@right 6-5@left 0-0@right 5-4@up"), hand: tiles("3-2") },
  },
  phones: { after: { hand: tiles("6-5 6-2 4-4 3-1 1-0") } },
  pairs: { after: { layout: lying("6-6 6-4@right 6-3@left 4-2@right"), hand: tiles("3-2 2-2") } },
  out: {
    before: { layout: lying("6-4 6-3@left 4-2@right"), hand: tiles("3-1"), chosen: "3-1", others: tiles("5-3 2-0") },
    after: { layout: lying("6-4 6-3@left 4-2@right 3-1@left"), others: tiles("5-3 2-0") },
  },
  "out-fives": {
    before: { layout: lying("6-4 6-3@left 4-2@right"), hand: tiles("3-1"), chosen: "3-1", others: tiles("6-5 2-0") },
    after: { layout: lying("6-4 6-3@left 4-2@right 3-1@left"), others: tiles("6-5 2-0") },
  },
  "blocked-minus": { after: { hand: tiles("2-1"), others: tiles("5-4 3-0") } },
  "blocked-full": { after: { hand: tiles("2-1"), others: tiles("5-4 3-0") } },
  "blocked-fives": { after: { hand: tiles("5-3"), others: tiles("6-4 2-0") } },
} as const satisfies Record<string, Omit<Step, "id">>;

export type StepId = keyof typeof STEPS;

const ORDER: Readonly<Record<Preset, readonly StepId[]>> = {
  draw: ["opening", "match", "ends", "draw", "out", "blocked-minus"],
  block: ["opening", "match", "ends", "pass", "out", "blocked-minus"],
  "duel-draw": ["house-opening", "match", "ends", "draw-yourself", "clock", "out", "blocked-full"],
  "all-fives": ["lot", "fives", "doubles", "totals", "spinner", "draw-yourself", "clock", "out-fives", "blocked-fives"],
  party: ["opening", "tap", "pass-yourself", "short-turn", "phones", "pairs", "out", "blocked-full"],
};

export function stepsOf(preset: Preset): Step[] {
  return ORDER[preset].map((id) => ({ id, ...STEPS[id] }));
}

export function titleOf(id: StepId): TextKey {
  return `guide.step-${id}`;
}

export function bodyOf(id: StepId): TextKey {
  return `guide.step-${id}-text`;
}

/** What is open at the ends of such an excerpt, as a table's view has it. */
export function endsOf(layout: readonly Lying[]): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { tile, end } of layout) {
    const [high = 0, low = 0] = tile.split("-").map(Number);
    if (end === "start") Object.assign(ends, { left: high, right: low });
    else ends[end] = (ends[end] ?? spinnerOf(layout)) === high ? low : high;
  }
  return ends;
}

function spinnerOf(layout: readonly Lying[]): number | undefined {
  const double = layout.map(({ tile }) => tile.split("-").map(Number)).find(([high, low]) => high === low);
  return double?.[0];
}
