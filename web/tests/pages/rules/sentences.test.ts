import { describe, expect, test } from "vitest";
import { isPreset, rulesetOf } from "../../../src/pages/rules/presets";
import { sectionsOf } from "../../../src/pages/rules/sentences";
import catalogue from "../../../src/texts/en/rules.json";
import options from "./options.json";

type Changes = Record<string, unknown>;

/** What each option needs beside it to mean anything. */
const BESIDE: Record<string, Changes> = {
  tie_at_cap: { round_cap: 20 },
  boneyard_reserve: { drawing: true },
  stop_on_dead_end: { drawing: true },
  pairs: { seats: 4 },
};
const NUMBERS: Record<string, readonly (number | null)[]> = {
  seats: [2, 3, 4],
  hand_size: [5, 6, 7],
  target: [50, 100, 250],
  round_cap: [null, 10, 20],
  boneyard_reserve: [0, 1, 2],
  turn_ms: [null, 15_000, 20_000],
  pause_ms: [0, 8_000, 15_000],
};

function said(changes: Changes): string[] {
  const ruleset = { ...rulesetOf("block"), ...changes };
  return sectionsOf(ruleset).flatMap(({ sentences }) => sentences.map(({ key, count }) => `${key} ${count ?? ""}`));
}

const valuesOf: Record<string, readonly unknown[]> = {
  ...Object.fromEntries(Object.entries(options.choices).filter(([name]) => name !== "preset")),
  ...Object.fromEntries(options.switches.map((name) => [name, [false, true]])),
  ...NUMBERS,
};

describe.each(Object.entries(valuesOf))("the option %s", (option, values) => {
  test.each(values.map((value) => [value]))("has a sentence for %s that no other value has", (value) => {
    const here = said({ ...BESIDE[option], [option]: value });
    const elsewhere = values
      .filter((other) => other !== value)
      .flatMap((other) => said({ ...BESIDE[option], [option]: other }));
    expect(here.filter((sentence) => !elsewhere.includes(sentence))).not.toEqual([]);
  });
});

test("every option of the library is one of these, or the clock", () => {
  expect(Object.keys(valuesOf).concat("preset", "clock_ms").sort()).toEqual([...options.names].sort());
});

test("a match clock is told in minutes, and as long as it is", () => {
  expect(said({ turn_ms: null, clock_ms: 180_000 })).toContain("rules.match-clock 3");
  expect(said({ turn_ms: null, clock_ms: 600_000 })).toContain("rules.match-clock 10");
});

test("a turn without an end is told as no clock", () => {
  expect(said({ turn_ms: 86_400_000 })).toContain("rules.no-clock ");
});

const everyPreset = Object.entries(options.presets).flatMap(([preset, bySeats]) =>
  Object.keys(bySeats).map((seats) => [preset, Number(seats)] as const),
);

test.each(everyPreset)("%s with %i seats is said once, in sentences of the catalogue", (preset, seats) => {
  if (!isPreset(preset)) throw new Error(preset);
  const sentences = sectionsOf(rulesetOf(preset, seats)).flatMap((section) => section.sentences);
  const keys = sentences.map(({ key }) => key.replace("rules.", ""));
  expect(new Set(keys).size).toBe(keys.length);
  for (const { key, count } of sentences) {
    const name = key.replace("rules.", "");
    expect(Object.keys(catalogue)).toContain(count === undefined ? name : `${name}_other`);
  }
});

test("three at draw begin with five tiles, and thirteen are left", () => {
  const changes = rulesetOf("draw", 3);
  expect(said({ ...changes })).toEqual(expect.arrayContaining(["rules.hand-size 5", "rules.rest-boneyard 13"]));
});

test("four at party leave nothing over", () => {
  expect(said({ ...rulesetOf("party", 4) })).toContain("rules.rest-none ");
});
