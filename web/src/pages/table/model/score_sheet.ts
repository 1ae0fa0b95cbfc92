/** The score sheet: what each side has gained in each round. */
import type { RoundRow } from "../../../game/state";

export interface SheetRow {
  round: number;
  /** By side. Null in a round of which only the sum with those before it is known. */
  gains: number[];
  scores: readonly number[];
  winner: number | null;
  tied: boolean;
}

/** The rows in order, with each side's gain since the row before. Where earlier rounds are not known here, the first
 * row's gain is all that was scored up to then. */
export function sheetOf(rows: readonly RoundRow[]): SheetRow[] {
  const ordered = [...rows].sort((one, other) => one.round - other.round);
  return ordered.map((row, index) => {
    const before = ordered[index - 1]?.scores ?? row.scores.map(() => 0);
    return {
      round: row.round,
      gains: row.scores.map((score, side) => score - (before[side] ?? 0)),
      scores: row.scores,
      winner: row.winner,
      tied: row.winner === null,
    };
  });
}

/** Some rounds before the first row were not seen here. */
export function startsLate(rows: readonly SheetRow[]): boolean {
  return rows.length > 0 && rows[0]?.round !== 1;
}
