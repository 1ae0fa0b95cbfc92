// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { Field } from "../../src/ui";
import { doing, draw } from "./rendering";

test("label, hint and error belong to the line, and what is written comes out", async () => {
  const written = vi.fn();
  const root = await draw(<Field label="Code" value="" onInput={written} hint="Six letters" error="No such room." />);
  const input = root.querySelector("input");
  expect(root.querySelector("label")?.htmlFor).toBe(input?.id);
  const described = (input?.getAttribute("aria-describedby") ?? "").split(" ");
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(["Six letters", "No such room."]);
  expect(input?.getAttribute("aria-invalid")).toBe("true");
  await doing(() => {
    if (input === null) return;
    input.value = "AB3D";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  expect(written).toHaveBeenCalledExactlyOnceWith("AB3D");
});

test("several rows are a longer text", async () => {
  const root = await draw(<Field label="Text" value="Hello" onInput={() => undefined} rows={4} maxLength={2000} />);
  expect(root.querySelector("textarea")?.getAttribute("rows")).toBe("4");
  expect(root.querySelector("textarea")?.value).toBe("Hello");
});
