"""What a play says about the tiles that were not played: a better one would rather have come.

A hidden tile that would have fitted then and looks better than what was laid is less likely to be in that hand. How
much less follows from a logistic model of choice (Luce, 1959) over a score that most players agree with.
"""

from __future__ import annotations

from math import exp
from typing import Final

from domino_bots.layouts import FITS, FIVES, FOLLOWING, NUMBERS
from domino_bots.tile_sets import tiles_of
from domino_rules.tiles import IS_DOUBLE, PIPS

PIP: Final = 2
DOUBLE: Final = 12
POINT: Final = 4
NEXT_LACKS: Final = 20
FICKLENESS: Final = 20.0
"""How far apart two scores are when the better one is chosen e times as often."""
_LOOKS: Final[list[int]] = [PIP * PIPS[tile] + (DOUBLE if IS_DOUBLE[tile] else 0) for tile in range(28)]


class Choice:
    """One play out of several possible ones, before it is laid."""

    def __init__(self, layout: int, tile: int, after: int, next_lacks: int, fives: bool) -> None:
        self.layout = layout
        self.next_lacks = next_lacks
        self.fives = fives
        self.chosen: int = self._score(tile, after)

    def weigh(self, odds: list[float], hidden: int) -> None:
        """Multiplies each hidden tile's odds to be in that hand by the chance that it would not have been played."""
        rows = FOLLOWING[self.layout]
        for tile in tiles_of(hidden & FITS[self.layout]):
            best = max([self._score(tile, after) for after in rows[tile]])
            odds[tile] /= 1.0 + exp((best - self.chosen) / FICKLENESS)

    def _score(self, tile: int, after: int) -> int:
        score = _LOOKS[tile] + NEXT_LACKS * (NUMBERS[after] & self.next_lacks).bit_count()
        return score + POINT * FIVES[after] if self.fives else score
