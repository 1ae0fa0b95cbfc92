import { expect, test } from "vitest";
import { startTexts } from "../../src/texts";
import { formatClock, formatCount, formatList, formatRelative } from "../../src/ui/format";

test("a countdown has minutes and seconds, below ten seconds tenths, and is never negative", async () => {
  await startTexts("en");
  expect([605_000, 60_000, 59_999, 10_000, 9_999, 50, -1].map(formatClock)).toEqual([
    "10:05",
    "1:00",
    "0:59",
    "0:10",
    "9.9",
    "0.0",
    "0.0",
  ]);
  await startTexts("de");
  expect(formatClock(7_310)).toBe("7,3");
});

test("numbers, lists and times are written as the language has them", async () => {
  await startTexts("en");
  expect(formatCount(12_345)).toBe("12,345");
  expect(formatList(["Ann", "Ben", "Cleo"])).toBe("Ann, Ben, and Cleo");
  expect(formatRelative(0, 3 * 60_000)).toBe("3 minutes ago");
  expect(formatRelative(2 * 3_600_000, 0)).toBe("in 2 hours");
  expect(formatRelative(0, 3 * 86_400_000)).toBe("3 days ago");
  await startTexts("pl");
  expect(formatRelative(0, 5 * 60_000)).toBe("5 minut temu");
});
