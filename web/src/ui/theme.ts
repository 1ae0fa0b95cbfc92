/** Light or dark: as the device has it, unless chosen here. */
import { type ReadonlySignal, signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = "capicua.theme";
const chosen = signal<Theme>(keptTheme());

export const theme: ReadonlySignal<Theme> = chosen;

export function chooseTheme(theme: Theme): void {
  chosen.value = theme;
  applyTheme();
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}

/** Before the first page is drawn. */
export function applyTheme(): void {
  if (chosen.peek() === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen.peek();
}

function keptTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEPT)) ?? "system";
  } catch {
    return "system";
  }
}
