/** The options of each preset, as `domino_rules/ruleset.py` has them, for pages that stand beside no table. */
import type { Ruleset } from "../../game/view";

export const PRESETS = ["draw", "block", "duel-draw", "all-fives", "party"] as const;
export type Preset = (typeof PRESETS)[number];

export function isPreset(name: unknown): name is Preset {
  return PRESETS.some((preset) => preset === name);
}

const PLAIN = {
  pairs: false,
  target: 100,
  drawing: false,
  spinner: false,
  round_cap: null,
  tie_at_cap: "drawn",
  boneyard_reserve: 0,
  stop_on_dead_end: false,
  forced: "auto",
  opening: "highest-double",
  after_win: "winner",
  after_tie: "as-first",
  blocked: "minus-own",
  fives: false,
  turn_ms: 20_000,
  clock_ms: null,
  pause_ms: 8_000,
  out_of_time: "autopilot",
  next_round: "all",
} as const;

const DUEL = { drawing: true, forced: "manual", round_cap: 20, turn_ms: null, clock_ms: 600_000 } as const;

const CHANGES = {
  draw: { drawing: true },
  block: {},
  "duel-draw": { ...DUEL, opening: "house", after_win: "as-first", blocked: "opponents" },
  "all-fives": { ...DUEL, opening: "lot", fives: true },
  party: {
    forced: "manual",
    after_tie: "next-seat",
    blocked: "opponents",
    turn_ms: 15_000,
    pause_ms: 15_000,
    out_of_time: "this-turn",
    next_round: "host",
  },
} as const satisfies Record<Preset, Partial<Ruleset>>;

/** Most seats; the fewest are two everywhere. */
const SEATS_MAX = { draw: 4, block: 4, "duel-draw": 2, "all-fives": 2, party: 4 } as const;

export function rulesetOf(preset: Preset, seats = 2): Ruleset {
  const hand_size = preset === "draw" && seats > 2 ? 5 : 7;
  return { preset, seats, hand_size, ...PLAIN, ...CHANGES[preset] };
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  tie_at_cap: ["drawn", "extra-rounds"],
  forced: ["auto", "manual"],
  opening: ["highest-double", "house", "lot"],
  after_win: ["winner", "as-first"],
  after_tie: ["as-first", "next-seat"],
  blocked: ["minus-own", "opponents"],
  out_of_time: ["autopilot", "this-turn"],
  next_round: ["all", "host"],
};
const SWITCHES = ["pairs", "drawing", "spinner", "stop_on_dead_end", "fives"];
/** Each number's least value, and whether there may be none. */
const NUMBERS: Readonly<Record<string, { least: number; none?: true }>> = {
  target: { least: 1 },
  hand_size: { least: 1 },
  boneyard_reserve: { least: 0 },
  pause_ms: { least: 0 },
  round_cap: { least: 1, none: true },
  turn_ms: { least: 1, none: true },
  clock_ms: { least: 1, none: true },
};

/** The ruleset of a page's address such as `/rules/all-fives?spinner=true&target=250`; null where there is none. What
 * no option is called is not looked at. */
export function rulesetOfQuery(preset: string, query: Readonly<Record<string, string>>): Ruleset | null {
  const seats = query.seats === undefined ? 2 : wholeNumber(query.seats);
  if (!isPreset(preset) || seats === null || seats < 2 || seats > SEATS_MAX[preset]) return null;
  const changed: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query)) {
    const value = optionOf(name, text);
    if (value === "wrong") return null;
    if (value !== undefined) changed[name] = value;
  }
  const ruleset: Ruleset = { ...rulesetOf(preset, seats), ...changed };
  return isPossible(ruleset) ? ruleset : null;
}

function optionOf(name: string, text: string): unknown {
  const choices = CHOICES[name];
  if (choices !== undefined) return choices.includes(text) ? text : "wrong";
  if (SWITCHES.includes(name)) return text === "true" || (text === "false" ? false : "wrong");
  const number = NUMBERS[name];
  if (number === undefined) return undefined;
  if (text === "none" && number.none) return null;
  const value = wholeNumber(text);
  return value === null || value < number.least ? "wrong" : value;
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function isPossible({ pairs, seats, hand_size, turn_ms, clock_ms }: Ruleset): boolean {
  if (pairs && seats !== 4) return false;
  return hand_size * seats <= 28 && (turn_ms === null || clock_ms === null);
}
