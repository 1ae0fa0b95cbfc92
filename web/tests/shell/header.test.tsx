// @vitest-environment happy-dom
import { LocationProvider } from "preact-iso/router";
import { beforeEach, expect, test } from "vitest";
import { Header } from "../../src/shell/header";
import { startTexts } from "../../src/texts";
import { byText, doing, draw } from "../ui/rendering";

beforeEach(() => startTexts("en"));

function showAt(path: string): Promise<HTMLElement> {
  history.replaceState(null, "", path);
  return draw(
    <LocationProvider>
      <Header />
    </LocationProvider>,
  );
}

test.each([
  ["/", "Play"],
  ["/queue", "Play"],
  ["/rooms/party", "Rooms"],
  ["/room/AB3DEF", "Rooms"],
  ["/rules/draw", "Guide"],
  ["/recover", "Me"],
])("at %s the place is %s", async (path, place) => {
  const root = await showAt(path);
  expect([...root.querySelectorAll("[aria-current=page]")].map((link) => link.textContent)).toEqual([place]);
});

test("at a table no link is the place", async () => {
  const root = await showAt("/table/t1");
  expect(root.querySelector("[aria-current]")).toBeNull();
});

test("the menu opens and closes by its button, by Escape and by a press elsewhere", async () => {
  await showAt("/");
  const menu = byText("button", "Menu");
  const open = () => menu.getAttribute("aria-expanded");
  await doing(() => menu.click());
  expect(open()).toBe("true");
  await doing(() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })));
  expect(open()).toBe("false");
  expect(document.activeElement).toBe(menu);
  await doing(() => menu.click());
  await doing(() => document.body.dispatchEvent(new Event("pointerdown", { bubbles: true })));
  expect(open()).toBe("false");
});

test("language and colours are chosen in a dialog, and everything follows", async () => {
  const root = await showAt("/");
  await doing(() => byText("button", "Language and colours").click());
  await doing(() => byText("dialog label", "Deutsch").querySelector("input")?.click());
  await expect.poll(() => root.querySelector("nav a")?.textContent).toBe("Spielen");
  await doing(() => byText("dialog label", "Dunkel").querySelector("input")?.click());
  expect(document.documentElement.dataset.theme).toBe("dark");
});
