/** Measures the client at an address in a real browser: `node measuring/measure.ts URL VIEWS ROUNDS` prints JSON. */
import type { Browser, CDPSession, Page } from "playwright-core";
import { openChromium } from "./chromium.ts";
import { interactive, observe } from "./observers.ts";
import { ReplayedTable } from "./table.ts";

const SLOW_DOWN = 4;
const RUNS = 5;
const PHONE = { width: 360, height: 740 };
const ROUNDS_WARM = 20;
const CHOICES = 12;
const TABLE = "01jdxk9t3v6q8w2y4z6a8c0e2g";
const OWN_TILE = "[data-tile][role=option], .hand button, [role=listbox] [role=option], .hand [role=radio]";

type Figures = Record<string, number>;

async function onPhone<T>(browser: Browser, use: (page: Page, devtools: CDPSession) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 2, hasTouch: true, locale: "en" });
  try {
    const page = await context.newPage();
    await page.addInitScript(observe);
    const devtools = await context.newCDPSession(page);
    return await use(page, devtools);
  } finally {
    await context.close();
  }
}

async function startPage(browser: Browser, url: string): Promise<{ ms: number; bytes: number; shift: number }> {
  return onPhone(browser, async (page, devtools) => {
    const bytes = new Map<string, number>();
    await devtools.send("Network.enable");
    const paths = new Map<string, string>();
    devtools.on("Network.responseReceived", ({ requestId, response }) => {
      paths.set(requestId, new URL(response.url).pathname);
    });
    devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (!paths.get(requestId)?.startsWith("/v1/")) bytes.set(requestId, encodedDataLength);
    });
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
    await page.goto(url);
    await page.waitForFunction(() => window.noted.usable !== null);
    const loaded = [...bytes.values()].reduce((sum, size) => sum + size, 0);
    await page.waitForLoadState("networkidle");
    const noted = await page.evaluate(() => window.noted);
    return { ms: interactive(noted), bytes: loaded, shift: noted.shift };
  });
}

async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  return (await devtools.send("Runtime.getHeapUsage")).usedSize;
}

async function longMatch(browser: Browser, url: string, views: string, rounds: number): Promise<Figures> {
  return onPhone(browser, async (page, devtools) => {
    const table = new ReplayedTable(views);
    await table.install(page);
    await devtools.send("HeapProfiler.enable");
    await page.goto(`${url}/table/${TABLE}`);
    await table.shown();
    await throughRound(page, table, 1);
    const shift = await page.evaluate(() => window.noted.shift);
    const input = await inputToPaint(page, devtools, table);
    await throughRound(page, table, ROUNDS_WARM);
    const warm = await heapBytes(devtools);
    await throughRound(page, table, rounds);
    const late = await heapBytes(devtools);
    return {
      "layout shift at a table in a round": shift,
      "input to paint, median ms": median(input),
      "input to paint, longest ms": Math.max(...input),
      [`heap after ${ROUNDS_WARM} rounds, KiB`]: warm / 1024,
      [`heap after ${rounds} rounds, KiB`]: late / 1024,
      [`heap after ${rounds} rounds : after ${ROUNDS_WARM}`]: late / warm,
    };
  });
}

/** View after view, each painted, until that round has ended. */
async function throughRound(page: Page, table: ReplayedTable, round: number): Promise<void> {
  for (;;) {
    if ((table.last?.view.round ?? 0) > round || (await table.next()) === null) return;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** Choosing tiles of the own hand, in own turns, with the processor slowed down. */
async function inputToPaint(page: Page, devtools: CDPSession, table: ReplayedTable): Promise<number[]> {
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
  await page.evaluate(() => {
    window.noted.inputs = [];
  });
  for (let chosen = 0; chosen < CHOICES; ) {
    const view = await table.next();
    if (view === null) break;
    if (view.view.to_move !== view.view.you) continue;
    const tile = page.locator(OWN_TILE).first();
    if ((await tile.count()) === 0) continue;
    await tile.click();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    chosen++;
  }
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return page.evaluate(() => window.noted.inputs);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function measure(url: string, views: string, rounds: number): Promise<Figures> {
  const browser = await openChromium();
  try {
    const starts = [];
    for (let run = 0; run < RUNS; run++) starts.push(await startPage(browser, url));
    return {
      "first download, KiB with headers": median(starts.map((start) => start.bytes)) / 1024,
      "start page interactive, median ms": median(starts.map((start) => start.ms)),
      "layout shift of the start page": Math.max(...starts.map((start) => start.shift)),
      ...(await longMatch(browser, url, views, rounds)),
    };
  } finally {
    await browser.close();
  }
}

const [url, views, rounds] = process.argv.slice(2);
if (url === undefined || views === undefined) throw new Error("expected: measure.ts URL VIEWS ROUNDS");
process.stdout.write(JSON.stringify(await measure(url, views, Number(rounds ?? 200))));
