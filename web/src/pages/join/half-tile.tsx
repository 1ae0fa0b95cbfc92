/** One number of a tile, as its pips. */
const PLACES: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  0: [],
  1: [[2, 2]],
  2: [
    [1, 1],
    [3, 3],
  ],
  3: [
    [1, 1],
    [2, 2],
    [3, 3],
  ],
  4: [
    [1, 1],
    [3, 1],
    [1, 3],
    [3, 3],
  ],
  5: [
    [1, 1],
    [3, 1],
    [2, 2],
    [1, 3],
    [3, 3],
  ],
  6: [
    [1, 1],
    [3, 1],
    [1, 2],
    [3, 2],
    [1, 3],
    [3, 3],
  ],
};

export function HalfTile({ pips }: { pips: number }) {
  return (
    <svg class="half-tile" viewBox="0 0 40 40" role="img" aria-label={String(pips)}>
      <rect class="half-tile__face" x="1" y="1" width="38" height="38" rx="6" />
      {(PLACES[pips] ?? []).map(([x, y]) => (
        <circle key={`${x} ${y}`} class={`half-tile__pip half-tile__pip--${pips}`} cx={x * 10} cy={y * 10} r="3.6" />
      ))}
    </svg>
  );
}
