"""How much a decision may search: counted in plies, so that the same seed gives the same choice on any machine."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

PLIES_PER_MS: Final = 500
"""What the interpreted build does on a machine half as fast as those of today."""
LOOK_EVERY: Final = 200
"""Plies between two looks at the clock."""
BRAKE: Final = 0.9
"""The part of the budget after which no more is begun."""


class Budget:
    """The plies of one decision. The clock is only an emergency brake: it stops a search on a machine that is busy."""

    def __init__(self, budget_ms: float, clock: Callable[[], float] = perf_counter) -> None:
        self.plies_left: int = int(budget_ms * PLIES_PER_MS)
        self._clock = clock
        self._ends = clock() + BRAKE * budget_ms / 1000
        self._look_at = self.plies_left - LOOK_EVERY

    def spend(self, plies: int) -> bool:
        """Counts the plies; whether more may follow."""
        self.plies_left -= plies
        if self.plies_left <= self._look_at:
            self._look_at = self.plies_left - LOOK_EVERY
            if self._clock() >= self._ends:
                self.plies_left = 0
        return self.plies_left > 0
