// Finds the keys of texts that sources name, whole or with parts that are filled in.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = new URL("../../src/", import.meta.url).pathname;

export interface Pattern {
  /** A regular expression of the keys that it can become. */
  text: string;
  /** What stands between the area and the first part that is filled in. */
  beginning: string;
  file: string;
}

export interface UsedKeys {
  whole: readonly string[];
  patterns: readonly Pattern[];
}

export function sourceFiles(): readonly { name: string; text: string }[] {
  return readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(SOURCES, name), "utf8") }));
}

export function keysUsed(files: readonly { name: string; text: string }[], areas: readonly string[]): UsedKeys {
  const area = `(?:${areas.join("|")})`;
  const literal = new RegExp(`["'\`](${area}\\.[a-z0-9][a-z0-9-]*)["'\`]`, "g");
  const template = new RegExp(`\`(${area})\\.([^\`$]*)(\\$\\{[^\`]*)\``, "g");
  const whole = new Set<string>();
  const patterns: Pattern[] = [];
  for (const { name: file, text } of files) {
    for (const found of text.matchAll(literal)) whole.add(found[1] ?? "");
    for (const [, of = "", beginning = "", rest = ""] of text.matchAll(template)) {
      const filled = rest.replace(/\$\{[^}]*\}/g, "[a-z0-9-]+");
      patterns.push({ text: `^${of}\\.${beginning}${filled}$`, beginning, file });
    }
  }
  return { whole: [...whole], patterns };
}
