/** What a table's options mean for its page. */
import type { Ruleset } from "../../../game/view";

/** A turn timer this long is no timer for a person: practice is played so. */
const UNTIMED_MS = 600_000;

/** The index into `scores`. */
export function sideOf(ruleset: Ruleset, seat: number): number {
  return ruleset.pairs ? (seat - 1) % 2 : seat - 1;
}

/** The seats of each side, in the order of the scores. */
export function sidesOf(ruleset: Ruleset): number[][] {
  if (ruleset.pairs) return [[1, 3], [2, 4]];
  return Array.from({ length: ruleset.seats }, (_, index) => [index + 1]);
}

export function hasTurnTimer(ruleset: Ruleset): boolean {
  return ruleset.turn_ms !== null && ruleset.turn_ms < UNTIMED_MS;
}

export function hasMatchClock(ruleset: Ruleset): boolean {
  return ruleset.clock_ms !== null;
}

/** Whether people draw and pass themselves here. */
export function actsByHand(ruleset: Ruleset): boolean {
  return ruleset.forced === "manual";
}

/** The code of the private room to which the table belongs: its region is the room's name. */
export function roomCodeOf(region: string): string | null {
  return region.startsWith("room-") ? region.slice("room-".length).toUpperCase() : null;
}
