// Nothing is missing, nothing is left over, and the three languages say the same.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keysUsed, sourceFiles } from "./used-keys";

const TEXTS = new URL("../../src/texts/", import.meta.url).pathname;
const LANGUAGES = ["en", "de", "pl"] as const;
type Language = (typeof LANGUAGES)[number];
const PLURALS: Readonly<Record<Language, readonly string[]>> = {
  en: ["one", "other"],
  de: ["one", "other"],
  pl: ["one", "few", "many", "other"],
};
/** Words that are the same in another language: names, loanwords, and what is no language at all. */
const SAME: readonly string[] = JSON.parse(readFileSync(new URL("./same.json", import.meta.url), "utf8"));
/** The server names these keys. */
const BY_THE_SERVER = new Set(["refusals"]);

const areas = readdirSync(join(TEXTS, "en"))
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(".json", ""));

function catalogue(language: Language, area: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(TEXTS, language, `${area}.json`), "utf8"));
}

const base = (key: string) => key.replace(/_(one|few|many|other)$/, "");
const bases = (texts: object) => [...new Set(Object.keys(texts).map(base))].sort();
const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();

describe.each(areas)("the catalogue %s", (area) => {
  test.each(["de", "pl"] as const)("has the keys of English in %s", (language) => {
    expect(bases(catalogue(language, area))).toEqual(bases(catalogue("en", area)));
  });

  test.each(LANGUAGES)("has every plural form in %s, and every text", (language) => {
    const texts = catalogue(language, area);
    const counted = Object.keys(texts).filter((key) => base(key) !== key);
    for (const key of counted) {
      for (const form of PLURALS[language]) expect(Object.keys(texts)).toContain(`${base(key)}_${form}`);
      expect(PLURALS[language]).toContain(key.slice(base(key).length + 1));
    }
    for (const [key, text] of Object.entries(texts)) expect(text.trim(), key).not.toBe("");
  });

  test.each(["de", "pl"] as const)("has the placeholders of English in %s", (language) => {
    const english = catalogue("en", area);
    for (const [key, text] of Object.entries(catalogue(language, area))) {
      const model = english[key] ?? english[`${base(key)}_other`] ?? "";
      // A form for one may say "one" without a figure.
      const found = placeholders(text);
      if (key.endsWith("_one")) expect(placeholders(model), key).toEqual(expect.arrayContaining(found));
      else expect(found, `${language} ${area}.${key}`).toEqual(placeholders(model));
    }
  });

  test.each(["de", "pl"] as const)("has no English left in %s", (language) => {
    const english = catalogue("en", area);
    const same = Object.entries(catalogue(language, area))
      .filter(([key, text]) => /\p{L}{2}/u.test(text.replace(/\{\{\w+\}\}/g, "")) && english[key] === text)
      .filter(([, text]) => !SAME.includes(text))
      .map(([key, text]) => `${language} ${area}.${key}: ${text}`);
    expect(same).toEqual([]);
  });
});

describe("the sources", () => {
  const used = keysUsed(sourceFiles(), areas);
  const existing = areas.flatMap((area) => bases(catalogue("en", area)).map((key) => `${area}.${key}`));

  test("name only texts that exist", () => {
    expect(used.whole.filter((key) => !existing.includes(key))).toEqual([]);
  });

  test("build keys with a beginning that tells them apart", () => {
    expect(used.patterns.filter(({ text }) => !existing.some((key) => new RegExp(text).test(key)))).toEqual([]);
    expect(used.patterns.filter(({ beginning }) => beginning === "")).toEqual([]);
  });

  test("use every text", () => {
    const patterns = used.patterns.map(({ text }) => new RegExp(text));
    const idle = existing.filter((key) => {
      const [area = ""] = key.split(".");
      return !BY_THE_SERVER.has(area) && !used.whole.includes(key) && !patterns.some((one) => one.test(key));
    });
    expect(idle).toEqual([]);
  });
});
