// Whatever the server refuses is a sentence in the person's language.
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { Refused, Unreachable } from "../../src/client/types";
import { startTexts } from "../../src/texts";
import { refusalText } from "../../src/texts/refusal";

const CODES = new URL("../../../docs/api/codes.md", import.meta.url);
const codes = [...readFileSync(CODES, "utf8").matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map((found) => found[1] ?? "");

test("the page of codes is read", () => {
  expect(codes.length).toBeGreaterThan(100);
  expect(codes).toContain("not-your-turn");
});

describe.each(["en", "de", "pl"] as const)("in %s", (language) => {
  beforeEach(() => startTexts(language, ["refusals"]));

  test.each(codes)("%s is a sentence", (code) => {
    const sentence = refusalText(new Refused(code, "this", "that", 409));
    expect(sentence).not.toContain(code.includes("-") ? code : "`");
    expect(sentence).toMatch(/^[\p{Lu}].{12,}[.”]$/u);
  });
});

describe("in English", () => {
  beforeEach(() => startTexts("en", ["refusals"]));

  test("a code of a later version is said with its name", () => {
    expect(refusalText(new Refused("moon-is-full", "a new moon", "a full one", 409))).toContain("moon-is-full");
  });

  test("how long to wait is said in seconds, and in minutes where there are many", () => {
    expect(refusalText(new Refused("too-many-requests", "", "", 429, 1))).toMatch(/Try again in 1 second\.$/);
    expect(refusalText(new Refused("too-many-requests", "", "", 429, 4.2))).toMatch(/Try again in 5 seconds\.$/);
    expect(refusalText(new Refused("too-many-links", "", "", 429, 600))).toMatch(/Try again in 10 minutes\.$/);
  });

  test("no answer, and what nobody foresaw, have sentences of their own", () => {
    expect(refusalText(new Unreachable())).toContain("connection");
    expect(refusalText(new TypeError("x is undefined"))).not.toContain("undefined");
  });
});
