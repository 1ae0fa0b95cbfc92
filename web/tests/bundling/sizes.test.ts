import { expect, test } from "vitest";
import { type Budget, type Built, initialDownload, isWithin, table } from "../../bundling/sizes";

const budget: Budget = { kib: 1, pages: ["start.tsx"], languages: ["en.ts", "pl.ts"] };

function built(file: string, bytes: number, source: string | null = null, loads: string[] = []): Built {
  return { file, bytes, source, loads };
}

const files = [
  built("index.html", 100),
  built("main.js", 200, "main.tsx", ["shared.js", "main.css"]),
  built("main.css", 50),
  built("shared.js", 100, null, ["deep.js"]),
  built("deep.js", 24, null, ["shared.js"]),
  built("start.js", 300, "start.tsx", ["shared.js"]),
  built("en.js", 200, "en.ts"),
  built("pl.js", 250, "pl.ts"),
  built("table.js", 5000, "table.tsx"),
];
const entries = ["index.html", "main.js"];

test("counts everything that the start page loads once, with the largest language", () => {
  const initial = initialDownload(files, entries, budget);
  expect(initial.files.map((file) => file.file)).toEqual([
    "index.html",
    "main.js",
    "main.css",
    "shared.js",
    "deep.js",
    "start.js",
    "pl.js",
  ]);
  expect(initial.bytes).toBe(1024);
  expect(isWithin(initial)).toBe(true);
});

test("one byte more is over the budget", () => {
  const more = [...files.slice(1), built("index.html", 101)];
  expect(isWithin(initialDownload(more, entries, budget))).toBe(false);
});

test("a source of the budget that the build does not have is a mistake", () => {
  expect(() => initialDownload(files, entries, { ...budget, pages: ["gone.tsx"] })).toThrow("gone.tsx");
});

test("the table marks what is downloaded first", () => {
  const lines = table(files, initialDownload(files, entries, budget)).split("\n");
  expect(lines).toContain("      4.9  table.js");
  expect(lines.filter((line) => line.startsWith("*"))).toHaveLength(8);
});
