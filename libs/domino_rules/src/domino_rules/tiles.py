"""The 28 tiles of a double-six set, as small integers.

A tile is its place in the order 0-0, 1-0, 1-1, 2-0 … 6-6 (0 to 27), the order in which the shuffle starts.
Everything that is known about a tile is a table with 28 entries, so that looking it up costs an index.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Tile: TypeAlias = int
"""0 to 27, see the module."""

Number: TypeAlias = int
"""The pips of one half, 0 to 6."""

Hand: TypeAlias = tuple[Tile, ...]
"""The tiles of one seat in deal order, drawn tiles appended."""

HIGH: Final[tuple[Number, ...]] = tuple(high for high in range(7) for _ in range(high + 1))
LOW: Final[tuple[Number, ...]] = tuple(low for high in range(7) for low in range(high + 1))
TILES: Final[tuple[Tile, ...]] = tuple(range(28))
PIPS: Final[tuple[int, ...]] = tuple(HIGH[tile] + LOW[tile] for tile in TILES)
IS_DOUBLE: Final[tuple[bool, ...]] = tuple(HIGH[tile] == LOW[tile] for tile in TILES)
WEIGHT: Final[tuple[int, ...]] = tuple(PIPS[tile] * 7 + HIGH[tile] for tile in TILES)
"""Orders tiles: more pips are heavier; with equal pips the larger half is (6-3 before 5-4)."""


def has_number(tile: Tile, number: Number) -> bool:
    """Whether one half of the tile shows the number."""
    return HIGH[tile] == number or LOW[tile] == number


def other_half(tile: Tile, number: Number) -> Number:
    """The half that stays open when the tile is laid with `number` inwards; `number` must be one of its halves."""
    return LOW[tile] if HIGH[tile] == number else HIGH[tile]


def pips_of(hand: Hand) -> int:
    """The pips of all tiles together."""
    return sum(PIPS[tile] for tile in hand)


def heaviest_first(tiles: Hand) -> Hand:
    """The same tiles, the heaviest first."""
    return tuple(sorted(tiles, key=WEIGHT.__getitem__, reverse=True))
