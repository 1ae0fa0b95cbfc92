import { render } from "preact";
import { App } from "./app";
import { createClient } from "./client/client";
import { pageAt } from "./shell/routes";
import { loadArea, startTexts } from "./texts";
import { applyTheme } from "./ui/theme";

/** Without a connection the texts are asked for again: nothing can be said without them. */
const AGAIN_MS = 2_000;
/** Sentences for what the server refuses come after everything that the first page shows. */
const REFUSALS_MS = 1_000;

async function start(root: HTMLElement): Promise<void> {
  applyTheme();
  const client = createClient();
  // A page that does not come says so itself, where the texts for it have come.
  const page = pageAt(location.pathname)
    .preload()
    .catch(() => undefined);
  await Promise.all([textsAtLast(), page]);
  render(<App client={client} />, root);
  setTimeout(() => loadArea("refusals").catch(() => undefined), REFUSALS_MS);
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
