"""Who sits down with whom: of all tables that could be filled now, the one with the oldest people.

Of two sets of units the one that has the older unit where they first differ is filled. Between two commands no table
could be filled, so that what is new is in every set that is looked at; who fits it is few people whatever the number
of those who wait: any that are within `BAND` of each other would have been seated, but for units that only lack one
person, and of those the oldest is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from bus.decider import Context
from contracts.region import MatchMade, Pool
from contracts.table import Reservation
from lobby.region.queue import Queue
from lobby.region.seating import seats_of
from lobby.region.shelf import Shelf
from lobby.region.tickets import Unit
from lobby.region.windows import WINDOW_MAX, compatible
from lobby.table_ids import draw_table_id


class Found(NamedTuple):
    """Units that fill a table of `pool`, by age. `rank` is the pool's place among those of the oldest: a set that
    could be seated in several sits down where the oldest wished first."""

    numbers: tuple[int, ...]
    rank: int
    pool: Pool
    units: tuple[Unit, ...]


def matches(queue: Queue, news: Iterable[int], context: Context) -> list[MatchMade]:
    """What follows when the units with the numbers `news` are new in the queue or fit more people than before."""
    return [match_made(found.pool, found.units, context) for found in full_tables(queue, news)]


def match_of(queue: Queue, unit: Unit, context: Context) -> MatchMade | None:
    """What follows when `unit` is to be put in the queue, where no table could be filled before."""
    found = _oldest(queue, unit)
    return None if found is None else match_made(found.pool, found.units, context)


def match_made(pool: Pool, units: Sequence[Unit], context: Context, house: Sequence[Reservation] = ()) -> MatchMade:
    """The match of `units`, by age, and of house bots. Several of one command have names of their own, since nobody
    is in two of them."""
    seats = seats_of(pool, units, house)
    return MatchMade(
        table_id=draw_table_id(context, f"table of {seats[0].account}"),
        pool=pool,
        seats=seats,
        waited_ms=max(context.at - units[0].queued_at, 0),
    )


def full_tables(queue: Queue, news: Iterable[int]) -> Iterator[Found]:
    """The tables to fill one after another, where the units with the numbers `news` are what has changed since none
    could be. Each uses its people up."""
    heap = [(found[:2], number, found) for number in news if (found := _oldest(queue, queue.units[number])) is not None]
    heapify(heap)
    while heap:
        _, number, found = heappop(heap)
        if all(each in queue.units for each in found.numbers):
            yield found
            if heap:
                queue = reduce(Queue.without_unit, found.units, queue)
        elif number in queue.units and (again := _oldest(queue, queue.units[number])) is not None:
            heappush(heap, (again[:2], number, again))


def _oldest(queue: Queue, unit: Unit) -> Found | None:
    """The oldest set with this unit, which need not be in the queue."""
    if not unit.is_ready:
        return None
    found = [
        Found(tuple([each.number for each in units]), units[0].pools.index(pool), pool, units)
        for pool in unit.pools
        if (units := _oldest_in(queue, queue.shelves.get(pool) or Shelf(pool), unit)) is not None
    ]
    return min(found, key=lambda each: each[:2], default=None)


def _oldest_in(queue: Queue, shelf: Shelf, unit: Unit) -> tuple[Unit, ...] | None:
    free = shelf.pool.seats - unit.size
    others = _fill(queue, shelf, (), _fitting(queue, shelf, unit, free), free)
    return None if others is None else tuple(sorted((*others, unit), key=_number))


def _fitting(queue: Queue, shelf: Shelf, unit: Unit, free: int) -> list[Unit]:
    """Who could sit down with `unit`, by age; of those that would take all of the `free` seats the oldest alone."""
    found: list[Unit] = []
    for size in range(1, free + 1):
        for number in shelf.by_age(size, unit.rating - WINDOW_MAX, unit.rating + WINDOW_MAX):
            other = queue.units[number]
            if number == unit.number or not _fit(queue, shelf, unit, other):
                continue
            found.append(other)
            if size == free:
                break
    return sorted(found, key=_number)


def _fill(
    queue: Queue, shelf: Shelf, chosen: tuple[Unit, ...], rest: Sequence[Unit], free: int
) -> tuple[Unit, ...] | None:
    if free == 0:
        return chosen
    for place, unit in enumerate(rest):
        if unit.size <= free and all(_fit(queue, shelf, unit, other) for other in chosen):
            found = _fill(queue, shelf, (*chosen, unit), rest[place + 1 :], free - unit.size)
            if found is not None:
                return found
    return None


def _fit(queue: Queue, shelf: Shelf, one: Unit, other: Unit) -> bool:
    return not shelf.pool.rated or compatible(one, other, queue.looked_at)


def _number(unit: Unit) -> int:
    return unit.number
