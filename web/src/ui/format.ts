/** Numbers and times as they are written in the person's language. */
import { language } from "../texts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function formatCount(count: number): string {
  return new Intl.NumberFormat(language.value).format(count);
}

/** A countdown: `9:05`, and below ten seconds with tenths, `7.3`. Negative times are none left. */
export function formatClock(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) {
    const tenths = Math.floor(left / 100) / 10;
    return new Intl.NumberFormat(language.value, { minimumFractionDigits: 1 }).format(tenths);
  }
  const seconds = Math.floor(left / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How long ago, or how long until: "3 minutes ago", "in 2 hours". Both in milliseconds since 1970. */
export function formatRelative(at: number, now: number): string {
  const words = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  const ms = at - now;
  const size = Math.abs(ms);
  if (size < MINUTE_MS) return words.format(Math.round(ms / 1_000), "second");
  if (size < HOUR_MS) return words.format(Math.round(ms / MINUTE_MS), "minute");
  if (size < DAY_MS) return words.format(Math.round(ms / HOUR_MS), "hour");
  return words.format(Math.round(ms / DAY_MS), "day");
}

/** Day and time of day, in milliseconds since 1970. */
export function formatMoment(at: number): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** "Anna, Ben and Cleo". */
export function formatList(words: readonly string[]): string {
  return new Intl.ListFormat(language.value).format(words);
}
