// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { chooseLanguage, language, loadArea, startTexts, t, textOf } from "../../src/texts";
import { preferredLanguage } from "../../src/texts/language";
import { doing, draw } from "../ui/rendering";

beforeEach(() => localStorage.clear());

test("everything changes with the language at once, also areas that came later, and it is kept", async () => {
  await startTexts("en");
  await loadArea("report");
  const root = await draw(<Sentence />);
  expect(root.textContent).toBe("Close Send report");
  await doing(() => chooseLanguage("pl"));
  expect(root.textContent).toBe("Zamknij Wyślij zgłoszenie");
  expect(document.documentElement.lang).toBe("pl");
  expect(preferredLanguage()).toBe("pl");
});

function Sentence() {
  return (
    <p>
      {t("common.close")} {t("report.send")}
    </p>
  );
}

test("of two choices in a hurry the later one counts", async () => {
  await startTexts("en");
  await chooseLanguage("de");
  await Promise.all([chooseLanguage("pl"), chooseLanguage("de"), chooseLanguage("pl")]);
  expect(language.value).toBe("pl");
  expect(preferredLanguage()).toBe("pl");
});

test("plurals follow the language", async () => {
  await startTexts("pl");
  expect([1, 2, 5, 22].map((count) => t("common.tiles", { count }))).toEqual([
    "1 kostka",
    "2 kostki",
    "5 kostek",
    "22 kostki",
  ]);
});

test("what no catalogue has is null, and no key", async () => {
  await startTexts("en");
  expect(textOf("common", "preset-draw")).toBe("Draw");
  expect(textOf("common", "preset-moon")).toBeNull();
});

test("without a choice the browser's languages decide, else English", () => {
  const languages = vi.spyOn(navigator, "languages", "get");
  languages.mockReturnValue(["fr-FR", "de-AT", "en"]);
  expect(preferredLanguage()).toBe("de");
  languages.mockReturnValue(["fr"]);
  expect(preferredLanguage()).toBe("en");
  languages.mockRestore();
});
