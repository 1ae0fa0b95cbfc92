"""Layouts as small numbers, so that a search looks up what fits, what the ends count and what follows.

For what can still happen in a round only the ends matter, and not which of them is called left or up: a layout is the
sorted list of its ends. There are 113 of them without a spinner and about 7,000 with one. All get their numbers when
this module is loaded: no decision waits for them, and a number never depends on what was looked at before.
"""

from __future__ import annotations

from typing import Final

from domino_bots.tile_sets import ALL_TILES, DOUBLES, tiles_of
from domino_rules.tiles import HIGH, IS_DOUBLE, LOW, WITH_NUMBER

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

FITS: Final[list[int]] = []
"""By layout: the tiles that can be laid there."""
NUMBERS: Final[list[int]] = []
"""By layout: the set of open numbers, bit n for number n."""
TOTALS: Final[list[int]] = []
"""By layout: what the ends count in all fives."""
FIVES: Final[list[int]] = []
"""By layout: the points of the play that leaves it, where fives count."""
FOLLOWING: Final[list[list[tuple[int, ...]]]] = []
"""By layout, then by tile: the different layouts that laying it leaves."""

_TILES_ON: Final[list[list[int]]] = [
    tiles_of(WITH_NUMBER[end % 7] & ~(DOUBLES if end >= DOUBLE else 0)) for end in range(LONE + 7)
]
"""By end, the tiles that can come there: where a double lies, it cannot come once more."""
_FOUR: Final = 1 << 105
_ends_of: Final[list[tuple[int, ...]]] = []
_four_ends: Final[list[bool]] = []
_number_of: Final[dict[int, int]] = {}
"""Layouts by key: three bits for each kind of end say how many there are, and `_FOUR` is added with four ends."""


def layout_number(ends: list[int], four_ends: bool) -> int:
    """The number of a layout with these ends."""
    return _number_of[_key(ends, four_ends)]


def opening_ends(tile: int) -> list[int]:
    """The ends of a layout of one tile."""
    return [LONE + HIGH[tile]] if IS_DOUBLE[tile] else [SINGLE + HIGH[tile], SINGLE + LOW[tile]]


def covered(ends: list[int], at: int, tile: int, four_ends: bool) -> list[int]:
    """The ends once the tile lies on the one with index `at`; what is new comes last."""
    return ends[:at] + ends[at + 1 :] + _new_ends(ends[at], tile, four_ends and not _has_spinner(ends))


def _new_ends(end: int, tile: int, may_spin: bool) -> list[int]:
    """What a tile leaves in place of the end that it covers; the first double may become the spinner."""
    number = end % 7
    double = (SPINNER if may_spin else DOUBLE) + number
    found: list[int] = []
    if end >= LONE:
        found.append(double)
    elif end >= SPINNER and end < BARE:
        found += [BARE + number, BARE + number]
    if IS_DOUBLE[tile]:
        found.append(double)
    else:
        found.append(SINGLE + (LOW[tile] if HIGH[tile] == number else HIGH[tile]))
    return found


def _has_spinner(ends: list[int]) -> bool:
    return len(ends) > 2 or any(SPINNER <= end < LONE for end in ends)


def _key(ends: list[int], four_ends: bool) -> int:
    key = _FOUR if four_ends else 0
    for end in ends:
        key += 1 << 3 * end
    return key


def _remember(ends: list[int], key: int) -> int:
    """Gives a layout its number."""
    fits = numbers = total = 0
    for end in ends:
        fits |= WITH_NUMBER[end % 7]
        numbers |= 1 << end % 7
        if end < BARE or end >= LONE:
            total += end % 7 * (1 if end < DOUBLE else 2)
    _number_of[key] = len(FITS)
    FITS.append(fits if ends else ALL_TILES)
    NUMBERS.append(numbers)
    TOTALS.append(total)
    FIVES.append(total if total % 5 == 0 else 0)
    FOLLOWING.append([()] * 28)
    _ends_of.append(tuple(sorted(ends)))
    _four_ends.append(key >= _FOUR)
    return _number_of[key]


def _follow(layout: int, steps: list[int]) -> None:
    """Fills a layout's row of `FOLLOWING`; what is met first gets its number. For `steps` see `_steps`."""
    ends, row, four_ends = list(_ends_of[layout]), FOLLOWING[layout], _four_ends[layout]
    if not ends:
        for tile in range(28):
            row[tile] = (_numbered(opening_ends(tile), four_ends),)
        return
    key = _key(ends, four_ends)
    for at, end in enumerate(ends):
        if end in ends[:at]:
            continue
        for tile in _TILES_ON[end]:
            key_after = key + steps[28 * end + tile]
            number = _number_of.get(key_after, -1)
            if number < 0:
                number = _remember(covered(ends, at, tile, four_ends), key_after)
            if number not in row[tile]:
                row[tile] += (number,)


def _numbered(ends: list[int], four_ends: bool) -> int:
    key = _key(ends, four_ends)
    number = _number_of.get(key, -1)
    return _remember(ends, key) if number < 0 else number


def _steps(may_spin: bool) -> list[int]:
    """By 28 times the end plus the tile: what laying it there adds to a layout's key."""
    steps = [0] * (28 * (LONE + 7))
    for end in range(LONE + 7):
        for tile in _TILES_ON[end]:
            steps[28 * end + tile] = _key(_new_ends(end, tile, may_spin), False) - (1 << 3 * end)
    return steps


def _fill() -> None:
    """Numbers all layouts that a round can come to and fills their rows."""
    with_spinner, without = _steps(may_spin=True), _steps(may_spin=False)
    _numbered([], False)
    _numbered([], True)
    layout = 0
    while layout < len(FITS):
        may_spin = _four_ends[layout] and not _has_spinner(list(_ends_of[layout]))
        _follow(layout, with_spinner if may_spin else without)
        layout += 1


_fill()
