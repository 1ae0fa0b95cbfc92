import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildId, withinBudget } from "../../bundling/plugin";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capicua-"));
  write("index.html", '<html><head><meta charset="utf-8"><script type="module" src="/main.js"></script></head></html>');
  write("main.js", 'const page = await import("./start.js"); await import("./en.js"); page.start();');
  write("start.js", "export const start = () => console.log('start');");
  write("en.js", "export default { hello: 'Hello' };");
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function buildWith(kib: number): Promise<void> {
  write("budget.json", JSON.stringify({ kib, pages: ["start.js"], languages: ["en.js"] }));
  const plugins = [buildId(), withinBudget()];
  await build({ root: folder, configFile: false, logLevel: "silent", build: { target: "es2022" }, plugins });
}

function made(name: string): string {
  return readFileSync(join(folder, "dist", name), "utf8");
}

test("a build within its budget is made, with its name in the page and beside it", async () => {
  await buildWith(90);
  const { build } = JSON.parse(made("client.json"));
  expect(build).toMatch(/^[0-9a-f]{16}$/);
  expect(made("index.html")).toContain(`<meta name="build" content="${build}">`);
});

test("another source is another name", async () => {
  await buildWith(90);
  const before = made("client.json");
  write("en.js", "export default { hello: 'Good morning' };");
  await buildWith(90);
  expect(made("client.json")).not.toBe(before);
});

test("a build over its budget fails", async () => {
  await expect(buildWith(0.1)).rejects.toThrow("over its budget");
});
