// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Announcements, announce, toast } from "../../src/ui";
import { doing, draw } from "./rendering";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lines = () => [...document.querySelectorAll("[aria-live] p")].map((line) => line.textContent);

test("a sentence is said, and the same one again as a new one", async () => {
  await draw(<Announcements />);
  await doing(() => announce("Your turn."));
  const first = lines();
  await doing(() => announce("Your turn."));
  expect(first.filter(Boolean)).toEqual(["Your turn."]);
  expect(lines()).toEqual(first.toReversed());
});

test("a toast is said as well, three of them at most, and each goes after a while", async () => {
  const root = await draw(<Announcements />);
  const shown = () => [...root.querySelectorAll(".toasts p")].map((one) => one.textContent);
  await doing(() => ["one", "two", "three", "four"].map(toast));
  expect(shown()).toEqual(["two", "three", "four"]);
  expect(lines()).toContain("four");
  await doing(() => vi.advanceTimersByTime(5_000));
  expect(shown()).toEqual([]);
});
