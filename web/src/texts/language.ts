/** Which language the person reads: chosen here before, else the browser's, else English. */
export const LANGUAGES = ["en", "de", "pl"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each in its own words, so that whoever cannot read the page's finds it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch", pl: "Polski" };

const KEPT = "capicua.language";

export function isLanguage(tag: unknown): tag is Language {
  return LANGUAGES.some((language) => language === tag);
}

export function preferredLanguage(): Language {
  const wanted = [keptLanguage(), ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
  return wanted.find(isLanguage) ?? "en";
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}

function keptLanguage(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
