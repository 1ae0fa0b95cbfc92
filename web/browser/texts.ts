/** The sentences that somebody reads on the page: stories find things by them, in each language. */
import { readdirSync, readFileSync } from "node:fs";
import { createInstance } from "i18next";

export const LANGUAGES = ["en", "de", "pl"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Say = (key: string, values?: Record<string, string | number>) => string;

const FOLDER = new URL("../src/texts/", import.meta.url);

/** Throws for a key that no catalogue has: a story that waits for it would wait for ever. */
export function sayIn(language: Language): Say {
  const texts = createInstance({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    keySeparator: false,
    nsSeparator: ".",
    interpolation: { escapeValue: false },
    resources: { [language]: cataloguesOf(language) },
  });
  void texts.init();
  return (key, values = {}) => {
    if (!texts.exists(key, values)) throw new Error(`no text ${key} in ${language}`);
    return texts.t(key, values);
  };
}

function cataloguesOf(language: Language): Record<string, Record<string, string>> {
  const folder = new URL(`${language}/`, FOLDER);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    files.map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(new URL(name, folder), "utf8"))]),
  );
}
