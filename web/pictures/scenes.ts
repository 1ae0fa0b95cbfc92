/** Every page of the client in a state that is worth a picture. */
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { Person } from "./person.ts";

export interface Stage {
  readonly url: string;
  readonly page: Page;
}

export interface Scene {
  readonly name: string;
  /** Brings the page to where the picture is taken; what it gives is stopped after that. */
  readonly play: (stage: Stage) => Promise<(() => void) | undefined>;
}

const TABLES: readonly { preset: string; ruleset: { seats: number; [option: string]: unknown } }[] = [
  { preset: "draw", ruleset: { seats: 2, turn_ms: 300_000 } },
  { preset: "block", ruleset: { seats: 4, pairs: true, turn_ms: 300_000 } },
  { preset: "duel-draw", ruleset: { seats: 2 } },
  { preset: "all-fives", ruleset: { seats: 2, spinner: true } },
  { preset: "party", ruleset: { seats: 4, turn_ms: 300_000 } },
];

export const SCENES: readonly Scene[] = [
  { name: "start", play: (stage) => open(stage, "/") },
  { name: "queue", play: queue },
  { name: "rooms", play: (stage) => open(stage, "/rooms/draw") },
  { name: "practice", play: (stage) => open(stage, "/practice") },
  { name: "room-new", play: (stage) => open(stage, "/room?preset=all-fives") },
  { name: "room", play: room },
  ...TABLES.map(({ preset, ruleset }) => ({
    name: `table-${preset}`,
    play: (stage: Stage) => table(stage, { preset, ...ruleset }),
  })),
  { name: "tv-pairing", play: (stage) => open(stage, "/tv") },
  { name: "tv", play: television },
  { name: "join", play: (stage) => open(stage, "/join") },
  { name: "join-hand", play: phone },
  { name: "me", play: me },
  { name: "recover", play: (stage) => open(stage, "/recover") },
  { name: "guide", play: (stage) => open(stage, "/guide/all-fives") },
  { name: "rules", play: (stage) => open(stage, "/rules/party") },
  { name: "missing", play: (stage) => open(stage, "/nowhere") },
];

async function open({ url, page }: Stage, path: string): Promise<undefined> {
  await page.goto(url + path);
}

/** The person of this browser: as soon as it has made its account, this program may ask in its name. */
async function personOf(stage: Stage): Promise<Person> {
  const made = stage.page.waitForResponse((answer) => answer.url().endsWith("/v1/guests"));
  await open(stage, "/me");
  const { account, token } = await (await made).json();
  return new Person(stage.url, account, token);
}

async function me(stage: Stage): Promise<undefined> {
  await personOf(stage);
}

async function queue(stage: Stage): Promise<() => void> {
  const person = await personOf(stage);
  await person.request("POST", "/v1/queue", { id: randomUUID(), preset: "draw", seats: 4, target: 100 });
  await open(stage, "/queue");
  return () => void person.request("POST", "/v1/queue/leave", { id: randomUUID() });
}

async function room(stage: Stage): Promise<() => void> {
  const person = await personOf(stage);
  const code = await person.openRoom({ preset: "party", seats: 4 });
  const friend = await Person.guest(stage.url, "Zofia");
  await friend.stay();
  await friend.inRoom(code, { type: "enter-room" });
  await open(stage, `/room/${code}`);
  return () => friend.leave();
}

async function table(stage: Stage, ruleset: { preset: string; seats: number }): Promise<undefined> {
  const person = await personOf(stage);
  const code = await person.openRoom(ruleset);
  const tableId = await person.startAgainstBots(code, person.account, ruleset.seats);
  await person.playOn(tableId);
  await open(stage, `/table/${tableId}`);
}

async function television(stage: Stage): Promise<() => void> {
  const asked = stage.page.waitForResponse((answer) => answer.url().endsWith("/v1/screens"));
  await open(stage, "/tv");
  const { pairing } = await (await asked).json();
  const host = await Person.guest(stage.url, "Ada");
  const code = await host.openRoom({ preset: "party", seats: 4, turn_ms: 300_000 });
  await host.request("POST", `/v1/private-rooms/${code}/screens`, { pairing });
  await host.playOn(await host.startAgainstBots(code, host.account, 4));
  return () => host.leave();
}

async function phone(stage: Stage): Promise<() => void> {
  const host = await Person.guest(stage.url, "Ada");
  const code = await host.openRoom({ preset: "draw", seats: 2, turn_ms: 300_000 });
  await open(stage, `/join/${code}`);
  const made = stage.page.waitForResponse((answer) => answer.url().endsWith("/v1/guests"));
  await stage.page.locator("main input").fill("Jan");
  await stage.page.keyboard.press("Enter");
  const { account, token } = await (await made).json();
  const person = new Person(stage.url, account, token);
  await person.request("GET", `/v1/private-rooms/${code}`);
  await person.playOn(await host.startAgainstBots(code, account, 2));
  return () => host.leave();
}
