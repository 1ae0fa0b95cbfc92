/** Fetches catalogues: per language one download for the first page, and one for each further area when it is needed. */
import type { Area } from "./areas";
import type { Language } from "./language";

export type Catalogue = Readonly<Record<string, string>>;

const first: Readonly<Record<Language, () => Promise<Readonly<Record<string, Catalogue>>>>> = {
  en: () => import("./en/first"),
  de: () => import("./de/first"),
  pl: () => import("./pl/first"),
};

const later = import.meta.glob<Catalogue>(["./*/*.json", "!./*/{common,shell,start}.json"], { import: "default" });

export function fetchFirst(language: Language): Promise<Readonly<Record<string, Catalogue>>> {
  return first[language]();
}

/** Null for an area that comes with the first page. */
export async function fetchArea(language: Language, area: Area): Promise<Catalogue | null> {
  const load = later[`./${language}/${area}.json`];
  return load === undefined ? null : load();
}
