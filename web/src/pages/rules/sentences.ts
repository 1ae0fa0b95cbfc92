/** The rules of a ruleset as sentences of the catalogue: each option chooses its own, and nothing else is said. */
import type { Ruleset } from "../../game/view";
import type { TextKey } from "../../texts";

type RulesKey = Extract<TextKey, `rules.${string}`>;

export interface Sentence {
  key: RulesKey;
  count?: number;
}

export interface Section {
  title: RulesKey;
  sentences: readonly Sentence[];
}

const TILES = 28;
/** A turn as long as this is no limit for a person. */
const UNTIMED_MS = 600_000;

export function sectionsOf(ruleset: Ruleset): Section[] {
  return [
    section("rules.section-players", players(ruleset)),
    section("rules.section-aim", aim(ruleset)),
    section("rules.section-opening", opening(ruleset)),
    section("rules.section-turn", turn(ruleset)),
    section("rules.section-layout", layout(ruleset)),
    section("rules.section-fives", ruleset.fives ? fives(ruleset) : []),
    section("rules.section-scoring", scoring(ruleset)),
    section("rules.section-time", time(ruleset)),
    section("rules.section-leaving", leaving(ruleset)),
    section("rules.section-trust", ["rules.hidden", "rules.shuffle", "rules.coins"]),
  ].filter(({ sentences }) => sentences.length > 0);
}

type Said = RulesKey | Sentence;

function section(title: RulesKey, said: readonly Said[]): Section {
  return { title, sentences: said.map((one) => (typeof one === "string" ? { key: one } : one)) };
}

function players(ruleset: Ruleset): Said[] {
  return [
    whoPlays(ruleset),
    "rules.set",
    { key: "rules.hand-size", count: ruleset.hand_size },
    restOf(ruleset, TILES - ruleset.seats * ruleset.hand_size),
  ];
}

function whoPlays({ pairs, seats }: Ruleset): Said {
  if (pairs) return "rules.pairs";
  return seats === 2 ? "rules.seats-two" : { key: "rules.seats-more", count: seats };
}

function restOf({ drawing }: Ruleset, count: number): Said {
  if (count === 0) return "rules.rest-none";
  return { key: drawing ? "rules.rest-boneyard" : "rules.rest-aside", count };
}

function aim(ruleset: Ruleset): Said[] {
  const said: Said[] = [{ key: ruleset.pairs ? "rules.target-pairs" : "rules.target", count: ruleset.target }];
  if (ruleset.fives) said.push("rules.target-at-once");
  if (ruleset.round_cap === null) return [...said, "rules.round-cap-none"];
  const tie = { drawn: "rules.tie-at-cap-drawn", "extra-rounds": "rules.tie-at-cap-extra-rounds" } as const;
  return [...said, { key: "rules.round-cap", count: ruleset.round_cap }, tie[ruleset.tie_at_cap]];
}

function opening(ruleset: Ruleset): Said[] {
  const first = {
    "highest-double": "rules.opening-highest-double",
    house: "rules.opening-house",
    lot: "rules.opening-lot",
  } as const;
  const win = { winner: "rules.after-win-winner", "as-first": "rules.after-win-as-first" } as const;
  const tie = { "as-first": "rules.after-tie-as-first", "next-seat": "rules.after-tie-next-seat" } as const;
  const said: Said[] = [first[ruleset.opening]];
  if (ruleset.opening !== "lot") said.push("rules.heavier");
  said.push(win[ruleset.after_win]);
  if (ruleset.pairs && ruleset.after_win === "winner") said.push("rules.after-win-pairs");
  return [...said, tie[ruleset.after_tie]];
}

function turn(ruleset: Ruleset): Said[] {
  const said: Said[] = ["rules.turn-play", "rules.turn-must", "rules.turn-both"];
  if (ruleset.drawing) said.push(...drawing(ruleset));
  else
    said.push(
      "rules.drawing-no",
      ruleset.forced === "auto" ? "rules.forced-auto-passes" : "rules.forced-manual-passes",
    );
  return [...said, "rules.passes-seen"];
}

function drawing(ruleset: Ruleset): Said[] {
  const count = ruleset.boneyard_reserve;
  return [
    "rules.drawing-yes",
    count === 0 ? "rules.boneyard-reserve-none" : { key: "rules.boneyard-reserve", count },
    ruleset.stop_on_dead_end ? "rules.stop-on-dead-end-yes" : "rules.stop-on-dead-end-no",
    ruleset.forced === "auto" ? "rules.forced-auto" : "rules.forced-manual",
  ];
}

function layout({ spinner }: Ruleset): Said[] {
  return ["rules.doubles", spinner ? "rules.spinner-yes" : "rules.spinner-no"];
}

function fives({ spinner }: Ruleset): Said[] {
  const said: Said[] = ["rules.fives-yes", "rules.fives-double"];
  if (spinner) said.push("rules.fives-spinner");
  return [...said, "rules.fives-last"];
}

function scoring(ruleset: Ruleset): Said[] {
  const said: Said[] = ruleset.fives ? [] : ["rules.fives-no"];
  said.push("rules.out", outPoints(ruleset), "rules.blocked", blockedPoints(ruleset), "rules.blocked-tied");
  if (ruleset.fives) said.push("rules.rounding");
  return said;
}

function outPoints({ pairs, seats }: Ruleset): Said {
  if (pairs) return "rules.out-pairs";
  return seats === 2 ? "rules.out-two" : "rules.out-more";
}

function blockedPoints({ pairs, seats, blocked }: Ruleset): Said {
  if (pairs) return "rules.blocked-pairs";
  if (blocked === "minus-own") return seats === 2 ? "rules.blocked-minus-own-two" : "rules.blocked-minus-own-more";
  return seats === 2 ? "rules.blocked-opponents-two" : "rules.blocked-opponents-more";
}

function time(ruleset: Ruleset): Said[] {
  return [...limits(ruleset), "rules.outage", ...pause(ruleset)];
}

function limits(ruleset: Ruleset): Said[] {
  if (ruleset.clock_ms !== null) {
    const count = Math.round(ruleset.clock_ms / 60_000);
    return [{ key: "rules.match-clock", count }, "rules.match-clock-runs", "rules.match-clock-lost", "rules.credit"];
  }
  if (ruleset.turn_ms === null || ruleset.turn_ms >= UNTIMED_MS) return ["rules.no-clock"];
  const then = { autopilot: "rules.out-of-time-autopilot", "this-turn": "rules.out-of-time-this-turn" } as const;
  return [
    { key: "rules.turn-time", count: Math.round(ruleset.turn_ms / 1_000) },
    then[ruleset.out_of_time ?? "autopilot"],
    "rules.autopilot-choice",
    "rules.credit",
  ];
}

function pause(ruleset: Ruleset): Said[] {
  const count = Math.round(ruleset.pause_ms / 1_000);
  if (count === 0) return ["rules.pause-none"];
  const early = { all: "rules.next-round-all", host: "rules.next-round-host" } as const;
  return [{ key: "rules.pause", count }, early[ruleset.next_round ?? "all"]];
}

function leaving(ruleset: Ruleset): Said[] {
  const said: Said[] = [ruleset.clock_ms === null ? "rules.leaving" : "rules.leaving-clock"];
  said.push(ruleset.seats === 2 ? "rules.resigning-two" : "rules.resigning-more", "rules.rating");
  if (ruleset.pairs) said.push("rules.rating-pairs");
  return [...said, "rules.expiry"];
}
