// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { startTexts } from "../../src/texts";
import { Button, Dialog } from "../../src/ui";
import { byText, doing, draw } from "./rendering";

beforeEach(() => startTexts("en"));

function Question({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <>
      <Button>Leave</Button>
      <Dialog title="Leave the table?" open={open} onClose={onClose}>
        <p>The autopilot plays on.</p>
      </Dialog>
    </>
  );
}

test("it stands in front of the page under its title, and gives the focus back when it goes", async () => {
  await draw(<Question open={false} onClose={() => undefined} />);
  expect(document.querySelector("dialog")).toBeNull();
  byText("button", "Leave").focus();
  await draw(<Question open onClose={() => undefined} />);
  const dialog = document.querySelector("dialog");
  expect(dialog?.open).toBe(true);
  expect(document.getElementById(dialog?.getAttribute("aria-labelledby") ?? "")?.textContent).toBe("Leave the table?");
  byText("dialog button", "Close").focus();
  await draw(<Question open={false} onClose={() => undefined} />);
  expect(document.activeElement).toBe(byText("button", "Leave"));
});

test("Escape, the button and a press beside it close it; a press inside does not", async () => {
  const close = vi.fn();
  await draw(<Question open onClose={close} />);
  const dialog = document.querySelector("dialog");
  await doing(() => byText("dialog p", "autopilot").click());
  expect(close).not.toHaveBeenCalled();
  const escaping = new Event("cancel", { cancelable: true });
  await doing(() => dialog?.dispatchEvent(escaping));
  expect(escaping.defaultPrevented).toBe(true);
  await doing(() => byText("dialog button", "Close").click());
  await doing(() => dialog?.click());
  expect(close).toHaveBeenCalledTimes(3);
});
