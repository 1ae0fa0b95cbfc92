// @vitest-environment happy-dom
import { LocationProvider } from "preact-iso/router";
import { beforeEach, expect, test, vi } from "vitest";
import { lazyPage } from "../../src/shell/lazy-page";
import { startTexts, t } from "../../src/texts";
import { Page } from "../../src/ui";
import { byText, doing, draw } from "../ui/rendering";

beforeEach(() => startTexts("en"));

function Reported() {
  return <Page title={t("report.title")}>.</Page>;
}

function shown(page: ReturnType<typeof lazyPage>) {
  return (
    <LocationProvider>
      <page.component />
    </LocationProvider>
  );
}

test("a page comes with its texts", async () => {
  await draw(shown(lazyPage(async () => ({ default: Reported }), { areas: ["report"] })));
  await vi.waitFor(() => byText("h1", "Report a problem"));
});

test("a page that was fetched before is there at once", async () => {
  const load = vi.fn(async () => ({ default: Reported }));
  const page = lazyPage(load, { areas: ["report"] });
  await page.preload();
  await draw(shown(page));
  expect(byText("h1", "Report a problem")).toBeTruthy();
  expect(load).toHaveBeenCalledOnce();
});

test("a page that did not arrive says so, and is asked for again", async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValue({ default: Reported });
  await draw(shown(lazyPage(load, { areas: ["report"] })));
  await vi.waitFor(() => byText("h1", "did not arrive"));
  await doing(() => byText("button", "Try again").click());
  await vi.waitFor(() => byText("h1", "Report a problem"));
});
