// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { SafetyNet } from "../../src/shell/safety-net";
import { startTexts } from "../../src/texts";
import { byText, draw } from "../ui/rendering";

beforeEach(() => startTexts("en"));

function Breaks(): never {
  throw new Error("of a page");
}

test("a broken page is said to be one, and another address is shown as ever", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await draw(
    <SafetyNet url="/a">
      <Breaks />
    </SafetyNet>,
  );
  expect(byText("h1", "This page has broken")).toBeTruthy();
  expect(byText("button", "Report a problem")).toBeTruthy();
  expect(errors).toHaveBeenCalledOnce();
  await draw(
    <SafetyNet url="/b">
      <p>Well</p>
    </SafetyNet>,
  );
  expect(byText("p", "Well")).toBeTruthy();
  errors.mockRestore();
});
