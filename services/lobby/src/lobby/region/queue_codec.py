"""A region's queue as JSON: a hundred thousand people in a second or two, so that what can be worked out of them is
not in it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from typing import Any

from rpds import HashTrieMap

from contracts.region import Pool
from lobby.region import pools
from lobby.region.away import Away
from lobby.region.ordered import Ordered
from lobby.region.queue import Queue
from lobby.region.shelf import Shelf, band
from lobby.region.tickets import Ticket, Unit, unit_of
from lobby.region.windows import widens_at


def to_json(queue: Queue) -> dict[str, Any]:
    """The same for equal queues; `from_json` gives an equal one back."""
    units = [queue.units[number] for number in sorted(queue.units)]
    known = {pool: None for unit in units for pool in unit.pools}
    shelves = [queue.shelves.get(pool) for pool in known]
    places = {pool: place for place, pool in enumerate(known)}
    return {
        "pools": [
            [pool.model_dump(), shelf.postponed_to if shelf is not None else 0]
            for pool, shelf in zip(known, shelves, strict=True)
        ],
        "units": [
            [[places[pool] for pool in unit.pools], unit.size, unit.group, [astuple(each) for each in unit.tickets]]
            for unit in units
        ],
        "away": queue.away.to_json(),
        "ratings": dict(sorted(queue.ratings.items())),
        "tickets": queue.tickets,
        "looked_at": queue.looked_at,
    }


def from_json(body: Mapping[str, Any]) -> Queue:
    """The queue of such an object; raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    known = [pools.canonical(Pool.model_validate(pool)) for pool, _ in body["pools"]]
    postponed = {pool: postponed_to for pool, (_, postponed_to) in zip(known, body["pools"], strict=True)}
    ratings: HashTrieMap[str, int] = HashTrieMap(body["ratings"])
    away, looked_at = Away.from_json(body["away"]), body["looked_at"]
    units = []
    for waits_in, size, group, written in body["units"]:
        tickets = tuple([Ticket(*each) for each in written])
        gone = sum([ticket.account in away for ticket in tickets])
        units.append(unit_of(tickets, tuple([known[place] for place in waits_in]), size, group, ratings, gone))
    shelves = _shelves(units, postponed)
    fills = [fill for shelf in shelves.values() if (fill := shelf.fill()) is not None]
    widening = [(at, unit.number) for unit in units if unit.is_ready and (at := widens_at(unit, looked_at)) is not None]
    return Queue(
        HashTrieMap({ticket.account: unit.number for unit in units for ticket in unit.tickets}),
        HashTrieMap({unit.number: unit for unit in units}),
        HashTrieMap({unit.group: unit.number for unit in units if unit.group is not None}),
        HashTrieMap(shelves),
        Ordered.of(fills),
        Ordered.of(widening),
        away,
        ratings,
        body["tickets"],
        looked_at,
    )


def _shelves(units: Iterable[Unit], postponed: Mapping[Pool, int]) -> dict[Pool, Shelf]:
    """As `Shelf.with_unit` would lay them one by one."""
    ready: dict[Pool, dict[tuple[int, int], list[int]]] = defaultdict(lambda: defaultdict(list))
    wanting: dict[Pool, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    dues: dict[Pool, list[tuple[int, int]]] = defaultdict(list)
    for unit in units:
        if not unit.is_ready:
            continue
        for pool in unit.pools:
            ready[pool][unit.size, band(pool, unit.rating)].append(unit.number)
        if unit.fill_due_at is not None and unit.fill_pool is not None:
            wanting[unit.fill_pool][unit.size].append(unit.number)
            dues[unit.fill_pool].append((unit.fill_due_at, unit.number))
    return {
        pool: Shelf(
            pool,
            HashTrieMap({place: Ordered.of(numbers) for place, numbers in ready[pool].items()}),
            HashTrieMap({size: Ordered.of(numbers) for size, numbers in wanting[pool].items()}),
            Ordered.of(dues[pool]),
            postponed[pool],
        )
        for pool in list(ready)
    }
