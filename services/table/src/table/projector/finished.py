"""The tables that people have finished, for the last fifty of each in Valkey. No I/O."""

from collections import deque
from collections.abc import Iterable
from itertools import islice

from contracts.lifecycle import LifecycleMessage, TableWasFinished
from contracts.queue_api import FinishedTable

KEPT_MAX = 5_000
"""Of a partition: these are written again when the cache has lost everything, or another projector takes over."""


class FinishedTables:
    """The newest finished tables of a partition in log order, numbered from 0. Those from `cached` on the cache may
    not hold."""

    def __init__(self) -> None:
        self._kept: deque[FinishedTable] = deque(maxlen=KEPT_MAX)
        self._taken = 0
        self._cached = 0

    def take(self, facts: Iterable[LifecycleMessage]) -> None:
        for fact in facts:
            if isinstance(fact, TableWasFinished):
                self._kept.append(_finished(fact))
                self._taken += 1

    def behind(self) -> tuple[int, list[FinishedTable]]:
        """The number after the newest, and those that the cache may not hold, the oldest first."""
        count = min(self._taken - self._cached, len(self._kept))
        return self._taken, list(islice(reversed(self._kept), count))[::-1]

    def cached(self, number: int) -> None:
        """The cache holds all before this number."""
        self._cached = number

    def all_behind(self) -> None:
        """The cache has lost everything."""
        self._cached = 0


def _finished(fact: TableWasFinished) -> FinishedTable:
    return FinishedTable(
        table_id=fact.table_id,
        region=fact.region,
        at=fact.at,
        seats=fact.seats,
        winners=fact.winners,
        scores=fact.scores,
    )
