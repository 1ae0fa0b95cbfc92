"""Sets of tiles as 28-bit numbers: bit t is set when tile t of `domino_rules` is in the set."""

from __future__ import annotations

from typing import Final

from domino_rules.tiles import IS_DOUBLE, PIPS, fitting, set_of

ALL_TILES: Final = (1 << 28) - 1
HALF: Final = (1 << 14) - 1
"""Tables over sets have two halves of 14 tiles each."""


def tiles_of(tiles: int) -> list[int]:
    """The tiles of a set, lowest first."""
    found = []
    while tiles:
        lowest = tiles & -tiles
        found.append(lowest.bit_length() - 1)
        tiles ^= lowest
    return found


def _pips_table(first: int) -> list[int]:
    """The pips of every set of the 14 tiles from `first` on."""
    table = [0] * (HALF + 1)
    for tiles in range(1, HALF + 1):
        lowest = tiles & -tiles
        table[tiles] = table[tiles ^ lowest] + PIPS[first + lowest.bit_length() - 1]
    return table


WITH_NUMBERS: Final[list[int]] = [
    fitting([number for number in range(7) if numbers >> number & 1]) for numbers in range(128)
]
"""By set of numbers (bit n for number n): the tiles that show one of them."""

DOUBLES: Final[int] = set_of([tile for tile in range(28) if IS_DOUBLE[tile]])

PIPS_FIRST: Final[list[int]] = _pips_table(0)
PIPS_SECOND: Final[list[int]] = _pips_table(14)


def pips_of(tiles: int) -> int:
    """The pips of a set."""
    return PIPS_FIRST[tiles & HALF] + PIPS_SECOND[tiles >> 14]
