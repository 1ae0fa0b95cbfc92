/** Fetches a page as soon as somebody points at a link to it: by the press it is mostly here. */
import { pageAt } from "./routes";

export function watchPointing(document: Document): () => void {
  const look = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='/']") : null;
    const path = link?.getAttribute("href")?.split(/[?#]/, 1)[0];
    // Without a connection the page says so itself when it is opened.
    if (path)
      pageAt(path)
        .preload()
        .catch(() => undefined);
  };
  const kinds = ["pointerover", "focusin", "touchstart"] as const;
  for (const kind of kinds) document.addEventListener(kind, look, { passive: true });
  return () => {
    for (const kind of kinds) document.removeEventListener(kind, look);
  };
}
