// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
  vi.resetModules();
});

test("a chosen theme is kept for the next visit, and the device's own leaves no mark", async () => {
  const first = await import("../../src/ui/theme");
  first.chooseTheme("dark");
  expect(document.documentElement.dataset.theme).toBe("dark");
  vi.resetModules();
  const second = await import("../../src/ui/theme");
  expect(second.theme.value).toBe("dark");
  second.chooseTheme("system");
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

test("what is kept and is no theme counts for nothing", async () => {
  localStorage.setItem("capicua.theme", "pink");
  const { theme } = await import("../../src/ui/theme");
  expect(theme.value).toBe("system");
});
