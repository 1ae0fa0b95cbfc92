/** What one may want to play after a match. */
import type { Ruleset } from "../../../game/view";

/** The presets and variants next to one, the nearest first. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  draw: ["block", "duel-draw"],
  block: ["draw", "party"],
  "duel-draw": ["draw", "all-fives"],
  "all-fives": ["duel-draw", "draw"],
  party: ["block", "draw"],
};

export function similarTo(preset: string): readonly string[] {
  return NEIGHBOURS[preset] ?? [];
}

const MINUTE_MS = 60_000;

/** The same settings, as the queue takes them. */
export function sameAgain(ruleset: Ruleset): Record<string, unknown> {
  const { preset, seats, target, pairs, spinner } = ruleset;
  const party = preset === "party" && ruleset.turn_ms !== null;
  return {
    preset,
    seats,
    target,
    pairs,
    ...(preset === "all-fives" ? { spinner } : {}),
    ...(preset === "party" ? { drawing: ruleset.drawing } : {}),
    ...(party ? { turn_seconds: Math.round((ruleset.turn_ms ?? 0) / 1_000) } : {}),
    ...(ruleset.clock_ms !== null ? { clock_minutes: Math.round(ruleset.clock_ms / MINUTE_MS) } : {}),
    bots: "fill",
  };
}
