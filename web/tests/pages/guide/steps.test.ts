import { describe, expect, test } from "vitest";
import { endsOf, type Lying, lying, type Scene, type Step, stepsOf } from "../../../src/pages/guide/steps";
import { PRESETS } from "../../../src/pages/rules/presets";
import catalogue from "../../../src/texts/en/guide.json";

const halves = (tile: string) => tile.split("-").map(Number);
const pips = (tiles: readonly string[]) => tiles.flatMap(halves).reduce((sum, half) => sum + half, 0);

/** Whether each tile of the excerpt fits where it lies. */
function misfits(layout: readonly Lying[]): string[] {
  return layout.slice(1).flatMap((play, index) => {
    const before = endsOf(layout.slice(0, index + 1));
    const spinner = layout.map(({ tile }) => halves(tile)).find(([high, low]) => high === low)?.[0];
    const open = before[play.end] ?? (["up", "down"].includes(play.end) ? spinner : undefined);
    return halves(play.tile).includes(open ?? Number.NaN) ? [] : [`${play.tile}@${play.end}`];
  });
}

const inSight = ({ layout = [], hand = [], others = [] }: Scene) => [
  ...layout.map(({ tile }) => tile),
  ...hand,
  ...others,
];

const steps: Step[] = [...new Map(PRESETS.flatMap(stepsOf).map((step) => [step.id, step])).values()];
const scenes = steps.flatMap((step) =>
  [step.before, step.after].flatMap((scene) => (scene === undefined ? [] : [[step.id, scene] as const])),
);

test.each(scenes)("%s: a picture shows real tiles, none twice, each where it fits", (_, scene) => {
  const tiles = inSight(scene);
  expect(new Set(tiles).size).toBe(tiles.length);
  for (const tile of tiles) expect(tile).toMatch(/^([0-6])-([0-6])$/);
  for (const tile of tiles) expect(halves(tile)).toEqual(halves(tile).toSorted((a, b) => b - a));
  expect(misfits(scene.layout ?? [])).toEqual([]);
  if (scene.chosen !== undefined) expect(scene.hand).toContain(scene.chosen);
});

const changes = steps.filter((step) => step.before?.chosen !== undefined);

test.each(changes.map((step) => [step.id, step] as const))("%s: what is chosen lies afterwards", (_, step) => {
  const { layout = [], hand = [], chosen } = step.before ?? {};
  expect(step.after.layout?.slice(0, -1)).toEqual(layout);
  expect(step.after.layout?.at(-1)?.tile).toBe(chosen);
  if (step.after.hand !== undefined) expect(step.after.hand).toEqual(hand.filter((tile) => tile !== chosen));
});

describe("what the steps say of their pictures", () => {
  const step = (id: string) => steps.find((one) => one.id === id) as Step;
  const ends = (id: string) => endsOf(step(id).after.layout ?? []);

  test("the ends of all fives add up as told", () => {
    expect(ends("fives")).toEqual({ left: 3, right: 2 });
    expect(ends("doubles")).toEqual({ left: 5, right: 0 });
    expect(ends("totals")).toEqual({ left: 5, right: 5 });
    expect(ends("spinner")).toEqual({ left: 6, right: 0, up: 4 });
  });

  test("the last hands hold the pips that are told", () => {
    expect(pips(step("out").after.others ?? [])).toBe(10);
    expect(pips(step("out-fives").after.others ?? [])).toBe(13);
    expect([step("blocked-minus").after, step("blocked-full").after].map(({ hand = [] }) => pips(hand))).toEqual([
      3, 3,
    ]);
    expect(pips(step("blocked-minus").after.others ?? [])).toBe(12);
    expect(pips(step("blocked-fives").after.hand ?? [])).toBe(8);
    expect(pips(step("blocked-fives").after.others ?? [])).toBe(12);
  });

  test("who draws or passes could not lay, and draws what fits at last", () => {
    for (const id of ["draw", "draw-yourself", "pass", "pass-yourself"]) {
      const { before, after } = step(id);
      const open = Object.values(endsOf(before?.layout ?? []));
      const fits = (tile: string) => halves(tile).some((half) => open.includes(half));
      expect(before?.hand?.filter(fits)).toEqual([]);
      if (after.chosen !== undefined) expect(after.hand?.filter(fits)).toEqual([after.hand?.at(-1)]);
    }
  });
});

test("every step has a title and a text", () => {
  for (const { id } of steps)
    expect(Object.keys(catalogue)).toEqual(expect.arrayContaining([`step-${id}`, `step-${id}-text`]));
});

test("an excerpt is read from a line", () => {
  expect(lying("6-6 6-4@right")).toEqual([
    { seat: 1, tile: "6-6", end: "start" },
    { seat: 2, tile: "6-4", end: "right" },
  ]);
});
