"""The 28 tiles of a double-six set, as small integers in the order of their weight.

A tile is its rank among the 28: 0 is 0-0, 27 is 6-6, and of two tiles the greater number is the heavier one (more
pips; with equal pips the larger half, so 6-3 before 5-4). Everything that is known about a tile is a table with 28
entries, and a set of tiles is an integer with one bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

Tile: TypeAlias = int
"""0 to 27, see the module."""

Number: TypeAlias = int
"""The pips of one half, 0 to 6."""

Hand: TypeAlias = tuple[Tile, ...]
"""The tiles of one seat in deal order, drawn tiles appended."""

TileSet: TypeAlias = int
"""Tiles without an order: bit `t` stands for tile `t`."""

_HALVES: Final = [(high, low) for high in range(7) for low in range(high + 1)]
_BY_WEIGHT: Final = sorted(_HALVES, key=lambda halves: (halves[0] + halves[1], halves[0]))

HIGH: Final[tuple[Number, ...]] = tuple([high for high, _ in _BY_WEIGHT])
LOW: Final[tuple[Number, ...]] = tuple([low for _, low in _BY_WEIGHT])
PIPS: Final[tuple[int, ...]] = tuple([high + low for high, low in _BY_WEIGHT])
IS_DOUBLE: Final[tuple[bool, ...]] = tuple([high == low for high, low in _BY_WEIGHT])
TILES: Final[tuple[Tile, ...]] = tuple([_BY_WEIGHT.index(halves) for halves in _HALVES])
"""The whole set in the order 0-0, 1-0, 1-1, 2-0 … 6-6, in which a shuffle starts."""
WITH_NUMBER: Final[tuple[TileSet, ...]] = tuple(
    [sum([1 << tile for tile in range(28) if number in (HIGH[tile], LOW[tile])]) for number in range(7)]
)
"""By number: the seven tiles that show it."""
SHOWS: Final[tuple[tuple[bool, ...], ...]] = tuple(
    [tuple([number in (HIGH[tile], LOW[tile]) for number in range(7)]) for tile in range(28)]
)
"""By tile and number: whether the tile shows it."""


def has_number(tile: Tile, number: Number) -> bool:
    """Whether one half of the tile shows the number."""
    return SHOWS[tile][number]


def other_half(tile: Tile, number: Number) -> Number:
    """The half that stays open when the tile is laid with `number` inwards; `number` must be one of its halves."""
    return PIPS[tile] - number


def pips_of(hand: Iterable[Tile]) -> int:
    """The pips of all tiles together."""
    return sum([PIPS[tile] for tile in hand])


def heaviest_first(tiles: Iterable[Tile]) -> Hand:
    """The same tiles, the heaviest first."""
    return tuple(sorted(tiles, reverse=True))


def set_of(tiles: Iterable[Tile]) -> TileSet:
    """The tiles as a set; each at most once."""
    return sum([1 << tile for tile in tiles])


def tiles_in(tiles: TileSet) -> list[Tile]:
    """The tiles of a set, the heaviest first."""
    found = []
    while tiles:
        tile = tiles.bit_length() - 1
        tiles ^= 1 << tile
        found.append(tile)
    return found


def fitting(numbers: Iterable[Number]) -> TileSet:
    """The tiles that show one of the numbers."""
    tiles = 0
    for number in numbers:
        tiles |= WITH_NUMBER[number]
    return tiles
