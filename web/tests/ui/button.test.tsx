// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { Button } from "../../src/ui";
import { byText, doing, draw } from "./rendering";

test("a press does what the button is for", async () => {
  const press = vi.fn();
  await draw(<Button onClick={press}>Play</Button>);
  await doing(() => byText("button", "Play").click());
  expect(press).toHaveBeenCalledOnce();
});

test.each([{ disabled: true }, { busy: true }])("with %o it does nothing, and can be reached still", async (state) => {
  const press = vi.fn();
  const submit = vi.fn((event: Event) => event.preventDefault());
  await draw(
    <form onSubmit={submit}>
      <Button type="submit" onClick={press} {...state}>
        Play
      </Button>
    </form>,
  );
  const button = byText("button", "Play");
  await doing(() => button.click());
  button.focus();
  expect(press).not.toHaveBeenCalled();
  expect(submit).not.toHaveBeenCalled();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(document.activeElement).toBe(button);
});

test("with an address it is a link, which leads nowhere while it is disabled", async () => {
  await draw(
    <Button href="/me" disabled>
      Me
    </Button>,
  );
  const link = byText("a", "Me");
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  await doing(() => link.dispatchEvent(click));
  expect(link.getAttribute("href")).toBe("/me");
  expect(click.defaultPrevented).toBe(true);
});

test("an icon alone has its name for those who listen", async () => {
  await draw(
    <Button icon="share" iconOnly>
      Share
    </Button>,
  );
  expect(byText("button", "Share").querySelector(".visually-hidden")?.textContent).toBe("Share");
});
