// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { Check, Choice } from "../../src/ui";
import { doing, draw } from "./rendering";

const SEATS = [
  { value: 2, label: "2" },
  { value: 3, label: "3" },
  { value: 4, label: "4", disabled: true },
];

test("one of a group of radio buttons is chosen, and the value comes back as it was given", async () => {
  const chosen = vi.fn();
  const root = await draw(<Choice legend="Seats" value={2} options={SEATS} onChange={chosen} hint="Who plays" />);
  const [two, three, four] = [...root.querySelectorAll("input")];
  expect([two?.checked, three?.checked, four?.disabled]).toEqual([true, false, true]);
  expect(new Set([two?.name, three?.name, four?.name]).size).toBe(1);
  await doing(() => three?.click());
  expect(chosen).toHaveBeenCalledExactlyOnceWith(3);
  const group = root.querySelector("fieldset");
  expect(group?.querySelector("legend")?.textContent).toBe("Seats");
  expect(root.querySelector(`#${group?.getAttribute("aria-describedby")}`)?.textContent).toBe("Who plays");
});

test("a check says what it was changed to", async () => {
  const changed = vi.fn();
  const root = await draw(<Check label="Rated" checked={false} onChange={changed} />);
  await doing(() => root.querySelector("input")?.click());
  expect(changed).toHaveBeenCalledExactlyOnceWith(true);
});
