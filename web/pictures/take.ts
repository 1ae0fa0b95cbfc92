/** Takes the picture of every scene: `node pictures/take.ts URL FOLDER [SCENE…]`; prints the scenes that it took. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openChromium } from "../measuring/chromium.ts";
import { Person } from "./person.ts";
import { squeezed } from "./png.ts";
import { SCENES, type Scene } from "./scenes.ts";

const SIZES = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
];
const THEMES = ["light", "dark"] as const;
/** No picture is higher: what comes below is more of the same. */
const HEIGHT_MAX = 1_600;
const SETTLE_MS = 700;
const AT_ONCE = 3;

interface Take {
  readonly scene: Scene;
  readonly size: (typeof SIZES)[number];
  readonly theme: (typeof THEMES)[number];
}

async function take(browser: Browser, url: string, folder: string, { scene, size, theme }: Take): Promise<void> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en",
  });
  try {
    const page = await context.newPage();
    const stop = await scene.play({ url, page });
    await page.waitForSelector("main h1", { state: "attached" });
    await page.waitForTimeout(SETTLE_MS);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    if (height > size.height) await page.setViewportSize({ width: size.width, height: Math.min(height, HEIGHT_MAX) });
    const picture = await page.screenshot();
    writeFileSync(join(folder, `${scene.name}-${size.width}-${theme}.png`), squeezed(picture));
    stop?.();
  } catch (error) {
    throw new Error(`${scene.name} at ${size.width}, ${theme}: ${error}`);
  } finally {
    await context.close();
  }
}

/** People who offer tables, so that rooms are not empty. */
async function company(url: string): Promise<Person[]> {
  const pools = [
    { preset: "draw", seats: 2, target: 100 },
    { preset: "draw", seats: 4, target: 150 },
    { preset: "draw", seats: 3, target: 50 },
    { preset: "all-fives", seats: 2, target: 150, spinner: true },
  ];
  const names = ["Ada", "Kuba", "Marta", "Ingrid"];
  const people = await Promise.all(names.map((name) => Person.guest(url, name)));
  await Promise.all(people.map((person) => person.stay()));
  for (const [index, person] of people.entries()) await person.offerTable(pools[index] ?? {});
  return people;
}

async function takeAll(url: string, folder: string, names: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await openChromium();
  const people = await company(url);
  try {
    const scenes = SCENES.filter((scene) => names.length === 0 || names.includes(scene.name));
    const takes = scenes.flatMap((scene) => SIZES.flatMap((size) => THEMES.map((theme) => ({ scene, size, theme }))));
    const waiting = takes.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of waiting) await take(browser, url, folder, one);
      }),
    );
    process.stdout.write(`${scenes.map((scene) => scene.name).join("\n")}\n`);
  } finally {
    for (const person of people) person.leave();
    await browser.close();
  }
}

const [url, folder, ...names] = process.argv.slice(2);
if (url === undefined || folder === undefined) throw new Error("expected: take.ts URL FOLDER [SCENE…]");
await takeAll(url, folder, names);
