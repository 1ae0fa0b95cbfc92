// @vitest-environment happy-dom
import { LocationProvider } from "preact-iso/router";
import { beforeEach, expect, test } from "vitest";
import { ClientContext } from "../../src/client/context";
import type { Client } from "../../src/client/types";
import { OwnGames } from "../../src/shell/own-games";
import { startTexts } from "../../src/texts";
import { doing, draw } from "../ui/rendering";
import { fakeClient, seatedAt } from "./fake-client";

beforeEach(() => startTexts("en"));

function showAt(path: string, client: Client): Promise<HTMLElement> {
  history.replaceState(null, "", path);
  return draw(
    <ClientContext.Provider value={client}>
      <LocationProvider>
        <OwnGames />
      </LocationProvider>
    </ClientContext.Provider>,
  );
}

test.each(["/queue", "/rooms/draw", "/room/AB3DEF", "/room"])(
  "who waits at %s is taken to a new table",
  async (path) => {
    const client = fakeClient();
    await showAt(path, client);
    expect(location.pathname).toBe(path);
    await doing(() => {
      client.seats.value = seatedAt("new");
    });
    expect(location.pathname).toBe("/table/new");
  },
);

test("who waits in the queue is taken to a table, also to one that was given while the page came", async () => {
  const client = fakeClient();
  client.connection.value = { kind: "connecting" };
  await showAt("/queue", client);
  await doing(() => {
    client.seats.value = seatedAt("mine");
  });
  expect(location.pathname).toBe("/queue");
  await doing(() => {
    client.connection.value = { kind: "open" };
  });
  expect(location.pathname).toBe("/table/mine");
});

test("who has come to a room with a running game is not called away, and may go back to it", async () => {
  const client = fakeClient();
  client.seats.value = seatedAt("mine");
  const root = await showAt("/rooms/draw", client);
  expect(location.pathname).toBe("/rooms/draw");
  expect([...root.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["/table/mine"]);
});

test("who reads is offered the way, to each of several games, and not called away", async () => {
  const client = fakeClient();
  const root = await showAt("/guide/draw", client);
  await doing(() => {
    client.seats.value = seatedAt("one", "two");
  });
  expect(location.pathname).toBe("/guide/draw");
  expect([...root.querySelectorAll("a")].map((link) => link.textContent)).toEqual(["Game 1", "Game 2"]);
});

test.each(["/table/one", "/tv", "/join/AB3DEF"])("at %s there is no bar", async (path) => {
  const client = fakeClient();
  client.seats.value = seatedAt("one");
  const root = await showAt(path, client);
  expect(root.querySelector(".own-games")).toBeNull();
});
