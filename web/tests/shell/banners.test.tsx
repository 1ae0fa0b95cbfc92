// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ClientContext } from "../../src/client/context";
import type { Client } from "../../src/client/types";
import { Banners } from "../../src/shell/banners";
import { startTexts } from "../../src/texts";
import { Announcements } from "../../src/ui";
import { byText, doing, draw } from "../ui/rendering";
import { fakeClient } from "./fake-client";

beforeEach(async () => {
  await startTexts("en");
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

function show(client: Client): Promise<HTMLElement> {
  return draw(
    <ClientContext.Provider value={client}>
      <Banners />
      <Announcements />
    </ClientContext.Provider>,
  );
}

const said = () => document.querySelector("[aria-live=polite]")?.textContent;

test("a lost connection counts down to the next try, which can be had at once, and its return is said", async () => {
  const ensure = vi.fn(async () => undefined);
  const client = fakeClient({ ensure });
  const root = await show(client);
  expect(root.querySelector(".banners")).toBeNull();
  await doing(() => {
    client.connection.value = { kind: "lost", retryAt: Date.now() + 3_000, offline: false };
  });
  expect(byText("[role=timer]", "Next try in 3 seconds.")).toBeTruthy();
  expect(said()).toContain("Your seat is kept.");
  await doing(() => vi.advanceTimersByTime(2_000));
  expect(byText("[role=timer]", "Next try in 1 second.")).toBeTruthy();
  await doing(() => byText("button", "Try now").click());
  expect(ensure).toHaveBeenCalledOnce();
  await doing(() => {
    client.connection.value = { kind: "connecting" };
  });
  await doing(() => {
    client.connection.value = { kind: "open" };
  });
  expect(root.querySelector(".banners")).toBeNull();
  expect(said()).toBe("Connected again.");
});

test("without a network it says so, and promises no time", async () => {
  const client = fakeClient();
  client.connection.value = { kind: "lost", retryAt: Date.now() + 3_000, offline: true };
  await show(client);
  expect(byText(".notice", "You are offline.").querySelector("[role=timer]")).toBeNull();
});

test("a newer version is offered, and a match that was called off can be put away", async () => {
  const dismissCalledOff = vi.fn();
  const client = fakeClient({ dismissCalledOff });
  client.outdated.value = true;
  client.calledOff.value = { type: "match-called-off", table_id: "t1", code: "bad-seats" };
  await show(client);
  expect(byText(".notice", "newer version").querySelector("button")?.textContent).toBe("Reload");
  const notice = byText(".notice", "could not begin");
  await doing(() => notice.querySelector<HTMLElement>("button:last-of-type")?.click());
  expect(dismissCalledOff).toHaveBeenCalledOnce();
});

test.each([
  ["signed-out", "has been signed out"],
  ["elsewhere", "another tab"],
] as const)("a connection that ended because of %s says what to do", async (why, text) => {
  const client = fakeClient();
  client.connection.value = { kind: "ended", why };
  await show(client);
  expect(byText(".notice", text).querySelector("button")).toBeTruthy();
});
