/** The room in which this browser has sat down last: whoever opens `/join` again finds the way back to the same seat. */
const KEPT = "capicua.joined";

export function keepJoined(code: string): void {
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // A browser that keeps nothing: the link leads back as well.
  }
}

export function joinedBefore(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export function forgetJoined(): void {
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // Nothing was kept.
  }
}
