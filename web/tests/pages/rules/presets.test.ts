import { expect, test } from "vitest";
import { isPreset, rulesetOf, rulesetOfQuery } from "../../../src/pages/rules/presets";
import options from "./options.json";

const rows = Object.entries(options.presets).flatMap(([preset, bySeats]) =>
  Object.entries(bySeats).map(([seats, row]) => [preset, Number(seats), row] as const),
);

test.each(rows)("%s with %i seats has the library's options", (preset, seats, row) => {
  if (!isPreset(preset)) throw new Error(preset);
  expect(rulesetOf(preset, seats)).toEqual(row);
});

test("an address changes what it names", () => {
  expect(rulesetOfQuery("all-fives", { spinner: "true", target: "250", clock_ms: "180000" })).toEqual({
    ...rulesetOf("all-fives"),
    spinner: true,
    target: 250,
    clock_ms: 180_000,
  });
  expect(rulesetOfQuery("party", { seats: "4", pairs: "true" })).toMatchObject({ seats: 4, pairs: true });
  expect(rulesetOfQuery("draw", { seats: "3" })?.hand_size).toBe(5);
  expect(rulesetOfQuery("duel-draw", { round_cap: "none" })?.round_cap).toBeNull();
});

test("what is no option changes nothing", () => {
  expect(rulesetOfQuery("draw", { from: "start" })).toEqual(rulesetOf("draw"));
});

test.each([
  ["chess", {}],
  ["draw", { seats: "5" }],
  ["draw", { seats: "1" }],
  ["duel-draw", { seats: "3" }],
  ["party", { pairs: "true", seats: "3" }],
  ["draw", { target: "0" }],
  ["draw", { target: "many" }],
  ["draw", { spinner: "maybe" }],
  ["draw", { blocked: "perhaps" }],
  ["draw", { clock_ms: "60000" }],
  ["party", { seats: "4", hand_size: "8" }],
])("there is no %s of %o", (preset, query) => {
  expect(rulesetOfQuery(preset, query as Record<string, string>)).toBeNull();
});
