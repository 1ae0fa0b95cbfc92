// Draws components into the document of happy-dom, and takes them away after each test.
import { type ComponentChild, render } from "preact";
import { act } from "preact/test-utils";
import { afterEach } from "vitest";

let root: HTMLElement | null = null;

afterEach(() => {
  if (root !== null) act(() => render(null, root as HTMLElement));
  root?.remove();
  root = null;
});

/** Draws it, or draws it anew. */
export async function draw(what: ComponentChild): Promise<HTMLElement> {
  if (root === null) {
    root = document.createElement("div");
    document.body.append(root);
  }
  const into = root;
  await act(() => render(what, into));
  return into;
}

/** Does something, and everything that follows of it. */
export async function doing(what: () => unknown): Promise<void> {
  await act(async () => {
    await what();
  });
}

/** The one that shows this text. */
export function byText(selector: string, text: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.textContent?.includes(text));
  if (found.length !== 1)
    throw new Error(`${found.length} of ${selector} show “${text}”: ${document.body.textContent}`);
  return found[0] as HTMLElement;
}
