/** Every sentence of the client, in the person's language. Reading one in a component subscribes it to the language. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { createInstance } from "i18next";
import type { Area, TextKey } from "./areas";
import { fetchArea, fetchFirst } from "./catalogues";
import { keepLanguage, type Language, preferredLanguage } from "./language";

export type { Area, TextKey } from "./areas";
export { isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from "./language";

type Values = Readonly<Record<string, string | number>>;

const texts = createInstance({
  lng: "en",
  fallbackLng: false,
  initAsync: false,
  keySeparator: false,
  nsSeparator: ".",
  interpolation: { escapeValue: false },
  resources: {},
});
void texts.init();

const chosen = signal<Language>(preferredLanguage());
/** Counts the catalogues that have come: texts of an area that was missing are read again. */
const arrived = signal(0);
const wanted = new Set<Area>();
let showing: Language = chosen.peek();

export const language: ReadonlySignal<Language> = chosen;

/** The text of `area.key`; `count` in the values chooses the plural form. */
export function t(key: TextKey, values: Values = {}): string {
  arrived.value;
  return texts.t(key, { ...values, lng: chosen.value });
}

/** The text of a key that the server names, or null where no catalogue here has it. */
export function textOf(area: Area, key: string, values: Values = {}): string | null {
  arrived.value;
  const lng = chosen.value;
  const whole = `${area}.${key}`;
  return texts.exists(whole, { ...values, lng }) ? texts.t(whole, { ...values, lng }) : null;
}

/** Reads in the preferred language, or in this one, with these areas beside the first page's. */
export async function startTexts(language: Language = preferredLanguage(), areas: readonly Area[] = []): Promise<void> {
  for (const area of areas) wanted.add(area);
  await show(language);
}

/** Changes the language of everything at once, and for the next visits. */
export async function chooseLanguage(language: Language): Promise<void> {
  await show(language);
  if (chosen.peek() === language) keepLanguage(language);
}

/** Fetches an area that does not come with the first page; resolves when it can be read. */
export async function loadArea(area: Area): Promise<void> {
  wanted.add(area);
  await fetchInto(chosen.peek(), area);
}

async function show(language: Language): Promise<void> {
  showing = language;
  const [first] = await Promise.all([fetchFirst(language), ...[...wanted].map((area) => fetchInto(language, area))]);
  for (const [area, catalogue] of Object.entries(first)) texts.addResourceBundle(language, area, catalogue);
  arrived.value++;
  if (showing !== language) return; // another was chosen meanwhile
  chosen.value = language;
  if (typeof document !== "undefined") document.documentElement.lang = language;
}

async function fetchInto(language: Language, area: Area): Promise<void> {
  if (texts.hasResourceBundle(language, area)) return;
  const catalogue = await fetchArea(language, area);
  if (catalogue === null) return;
  texts.addResourceBundle(language, area, catalogue);
  arrived.value++;
}
