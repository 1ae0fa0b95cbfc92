import { render } from "preact";
import { App } from "./app";
import { createClient } from "./client/client";
import { pageAt } from "./shell/routes";
import { loadArea, startTexts } from "./texts";
import { applyTheme } from "./ui/theme";

/** Without a connection the texts are asked for again: nothing can be said without them. */
const AGAIN_MS = 2_000;

async function start(root: HTMLElement): Promise<void> {
  applyTheme();
  const client = createClient();
  // A page that does not come says so itself, where the texts for it have come.
  const page = pageAt(location.pathname)
    .preload()
    .catch(() => undefined);
  await Promise.all([textsAtLast(), page]);
  render(<App client={client} />, root);
  requestIdleCallback(() => loadArea("refusals").catch(() => undefined));
}

async function textsAtLast(): Promise<void> {
  try {
    await startTexts();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    await textsAtLast();
  }
}

const root = document.getElementById("app");
if (root !== null) void start(root);
