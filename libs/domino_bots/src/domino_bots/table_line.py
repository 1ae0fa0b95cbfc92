"""The layout as it lies on the table, with its ends by name, while the plays of a round are gone through."""

from __future__ import annotations

from typing import Final

from domino_bots.layouts import LONE, covered, layout_number, opening_ends
from domino_rules.ends import PlayEnd

NAMES: Final[tuple[PlayEnd, ...]] = ("left", "right", "up", "down")


class Line:
    """The named ends of a layout."""

    def __init__(self, four_ends: bool) -> None:
        self._four_ends = four_ends
        self._ends: list[int] = []
        self._names: list[PlayEnd] = []

    def lay(self, tile: int, end: PlayEnd) -> None:
        """One play; it must fit."""
        if not self._ends:
            self._ends = opening_ends(tile)
            self._names = list(NAMES[: len(self._ends)])
            return
        lone = self._ends[0] >= LONE
        at = 0 if lone else self._names.index(end)
        before = self._names
        self._ends = covered(self._ends, at, tile, self._four_ends)
        if lone:
            self._names = [NAMES[1] if end == "left" else NAMES[0], end]
        else:
            arms = NAMES[2:] if len(self._ends) > len(before) else ()
            self._names = [*before[:at], *before[at + 1 :], *arms, end]

    def after(self, tile: int, end: PlayEnd) -> int:
        """The number of the layout that the play would leave."""
        trial = Line(self._four_ends)
        trial._ends, trial._names = self._ends, self._names
        trial.lay(tile, end)
        return trial.layout

    @property
    def layout(self) -> int:
        """The number of the layout."""
        return layout_number(self._ends, self._four_ends)
