"""Layouts as small numbers, so that a search looks up what fits, what the ends count and what follows.

For what can still happen in a round only the ends matter, and not which of them is called left or up: a layout is the
sorted list of its ends. There are 113 of them without a spinner and about 8,000 with one. Each gets a number when it
is first met.
"""

from __future__ import annotations

from typing import Final

from domino_bots.tile_sets import WITH_NUMBER
from domino_rules.tiles import HIGH, IS_DOUBLE, LOW

SINGLE: Final = 0
"""An end is its kind plus the number that is open there. This one: a tile that lies lengthwise."""
DOUBLE: Final = 7
"""A double; counts both halves."""
SPINNER: Final = 14
"""The spinner while it is an end; two bare arms open when it is covered."""
BARE: Final = 21
"""An open arm of the spinner without a tile; counts nothing."""
LONE: Final = 28
"""A double that lies alone: both its sides are one end here."""

EMPTY: Final = 0
"""The number of the layout on which nothing lies, without four ends."""
EMPTY_FOUR: Final = 1
"""The same with four ends."""

FITS: Final[list[int]] = []
"""By layout: the tiles that can be laid there."""
NUMBERS: Final[list[int]] = []
"""By layout: the set of open numbers, bit n for number n."""
TOTALS: Final[list[int]] = []
"""By layout: what the ends count in all fives."""
FIVES: Final[list[int]] = []
"""By layout: the points of the play that leaves it, where fives count."""
FOLLOWING: Final[list[list[tuple[int, ...]]]] = []
"""By layout, then by tile: the different layouts that laying it leaves. Rows are empty until `following` fills them."""

_ends_of: Final[list[tuple[int, ...]]] = []
_four_ends: Final[list[bool]] = []
_known: Final[dict[tuple[bool, tuple[int, ...]], int]] = {}


def layout_number(ends: list[int], four_ends: bool) -> int:
    """The number of a layout with these ends."""
    key = (four_ends, tuple(sorted(ends)))
    number = _known.get(key)
    if number is None:
        number = len(FITS)
        _known[key] = number
        _remember(key[1], four_ends)
    return number


def following(layout: int) -> list[tuple[int, ...]]:
    """The row of `FOLLOWING`, made when it is asked for first."""
    row = FOLLOWING[layout]
    if not row:
        row.extend([_after(layout, tile) for tile in range(28)])
    return row


def opening_ends(tile: int) -> list[int]:
    """The ends of a layout of one tile."""
    return [LONE + HIGH[tile]] if IS_DOUBLE[tile] else [SINGLE + HIGH[tile], SINGLE + LOW[tile]]


def covered(ends: list[int], at: int, tile: int, four_ends: bool) -> list[int]:
    """The ends once the tile lies on the one with index `at`; what is new comes last."""
    end = ends[at]
    number = end % 7
    rest = ends[:at] + ends[at + 1 :]
    if end >= LONE:
        rest.append((SPINNER if four_ends else DOUBLE) + number)
    elif end >= SPINNER and end < BARE:
        rest += [BARE + number, BARE + number]
    if not IS_DOUBLE[tile]:
        rest.append(SINGLE + (LOW[tile] if HIGH[tile] == number else HIGH[tile]))
    else:
        rest.append((SPINNER if four_ends and not _has_spinner(ends) else DOUBLE) + number)
    return rest


def _has_spinner(ends: list[int]) -> bool:
    return len(ends) > 2 or max(ends) >= SPINNER


def _remember(ends: tuple[int, ...], four_ends: bool) -> None:
    fits = numbers = total = 0
    for end in ends:
        fits |= WITH_NUMBER[end % 7]
        numbers |= 1 << end % 7
        if end < BARE or end >= LONE:
            total += end % 7 * (1 if end < DOUBLE else 2)
    FITS.append(fits if ends else (1 << 28) - 1)
    NUMBERS.append(numbers)
    TOTALS.append(total)
    FIVES.append(total if total % 5 == 0 else 0)
    FOLLOWING.append([])
    _ends_of.append(ends)
    _four_ends.append(four_ends)


def _after(layout: int, tile: int) -> tuple[int, ...]:
    ends, four_ends = list(_ends_of[layout]), _four_ends[layout]
    if not ends:
        return (layout_number(opening_ends(tile), four_ends),)
    found: list[int] = []
    for at, end in enumerate(ends):
        if WITH_NUMBER[end % 7] >> tile & 1:
            number = layout_number(covered(ends, at, tile, four_ends), four_ends)
            if number not in found:
                found.append(number)
    return tuple(found)


layout_number([], False)
layout_number([], True)
