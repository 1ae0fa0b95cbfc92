"""One pool's units that could be seated now: by size, rating and age, and by when they want house bots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import NamedTuple, TypeVar

from rpds import HashTrieMap

from contracts.region import Pool
from lobby.region.ordered import Ordered
from lobby.region.tickets import Unit

P = TypeVar("P")

BAND = 50
"""Ratings from one multiple of it up to the next lie together."""


def band(pool: Pool, rating: int) -> int:
    """Where units of that rating lie; all together where the pool is not rated."""
    return rating // BAND if pool.rated else 0


class Fill(NamedTuple):
    """When a pool's units that want house bots get them or are looked at again; `number` is one of theirs, so that
    fills have an order."""

    due_at: int
    number: int
    pool: Pool


@dataclass(frozen=True, slots=True)
class Shelf:
    """`ready` has unit numbers by size and band of rating, `wanting` those that want house bots by size, `dues` when
    they first do. Who has wanted them in vain waits until `postponed_to`, in log ms.

    No change costs more where more people wait.
    """

    pool: Pool
    ready: HashTrieMap[tuple[int, int], Ordered[int]] = field(default_factory=HashTrieMap)
    wanting: HashTrieMap[int, Ordered[int]] = field(default_factory=HashTrieMap)
    dues: Ordered[tuple[int, int]] = field(default_factory=Ordered)
    postponed_to: int = 0

    def with_unit(self, unit: Unit) -> Shelf:
        place = (unit.size, band(self.pool, unit.rating))
        ready = self.ready.insert(place, (self.ready.get(place) or Ordered()).with_key(unit.number))
        if unit.fill_due_at is None or unit.fill_pool != self.pool:
            return Shelf(self.pool, ready, self.wanting, self.dues, self.postponed_to)
        wanting = (self.wanting.get(unit.size) or Ordered()).with_key(unit.number)
        dues = self.dues.with_key((unit.fill_due_at, unit.number))
        return Shelf(self.pool, ready, self.wanting.insert(unit.size, wanting), dues, self.postponed_to)

    def without(self, unit: Unit) -> Shelf | None:
        """None where nobody is left."""
        ready = _without(self.ready, (unit.size, band(self.pool, unit.rating)), unit.number)
        if not ready:
            return None
        if unit.fill_due_at is None:
            return Shelf(self.pool, ready, self.wanting, self.dues, self.postponed_to)
        wanting = _without(self.wanting, unit.size, unit.number)
        dues = self.dues.without((unit.fill_due_at, unit.number))
        return Shelf(self.pool, ready, wanting, dues, self.postponed_to)

    # ---- queries

    def by_age(self, size: int, lowest: int, highest: int) -> Iterator[int]:
        """Numbers of the units of that size, the oldest first; of a rated pool, those of ratings from `lowest` to
        `highest` and some beside."""
        bands = range(band(self.pool, lowest), band(self.pool, highest) + 1)
        return merge(*[numbers for each in bands if (numbers := self.ready.get((size, each))) is not None])

    def fill(self) -> Fill | None:
        if self.dues.first is None:
            return None
        due_at, number = self.dues.first
        return Fill(max(due_at, self.postponed_to), number, self.pool)

    @property
    def is_in_vain(self) -> bool:
        """Whether somebody has waited for house bots, and there were too few."""
        return self.dues.first is not None and self.dues.first[0] <= self.postponed_to

    def oldest_wanting(self) -> list[int]:
        """Numbers of the oldest units that want house bots, of each size as many as a table could seat."""
        seats = self.pool.seats
        sizes = range(1, seats + 1)
        return sorted([each for size in sizes for each in islice(self.wanting.get(size) or (), seats // size)])


def _without(numbers: HashTrieMap[P, Ordered[int]], place: P, number: int) -> HashTrieMap[P, Ordered[int]]:
    left = (numbers.get(place) or Ordered()).without(number)
    return numbers.insert(place, left) if left else numbers.discard(place)
