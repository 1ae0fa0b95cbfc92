"""People who come to the public queue in an evening, all of it by a seed: how long they wait and whom they meet, in the
region and with first come, first served."""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import pi, sin
from random import Random
from statistics import fmean, quantiles

from bench.region import Region
from contracts.region import JoinQueue, NoteRating, Pool

SEED = 7
PATIENCE_MS = 600_000
"""Who has waited for so long goes home."""
POOLS = {
    Pool(preset="draw", seats=2, target=100, rated=True): 20,
    Pool(preset="duel-draw", seats=2, target=100, rated=True): 10,
    Pool(preset="all-fives", seats=2, target=100, rated=True): 5,
    Pool(preset="block", seats=4, target=50, rated=True): 5,
    Pool(preset="party", seats=4, target=100, pairs=True, rated=True): 5,
    Pool(preset="draw", seats=2, target=50): 15,
    Pool(preset="draw", seats=3, target=50): 5,
    Pool(preset="draw", seats=4, target=100): 10,
    Pool(preset="block", seats=2, target=100): 5,
    Pool(preset="all-fives", seats=2, target=250, spinner=True): 5,
    Pool(preset="party", seats=3, target=100): 5,
    Pool(preset="party", seats=4, target=200, pairs=True): 10,
}
"""How many of a hundred people want each."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """`at` in ms."""

    account: str
    at: int
    pool: Pool
    rating: int


@dataclass(slots=True)
class Waits:
    """How long each of those who were seated had waited, in ms; how far apart the ratings at each rated table were, the
    mean of all pairs; how many went home."""

    waited: list[int] = field(default_factory=list)
    distances: list[float] = field(default_factory=list)
    gone: int = 0

    def seat(self, people: Sequence[Arrival], at: int) -> None:
        self.waited += [at - each.at for each in people]
        if people[0].pool.rated:
            self.distances.append(fmean(abs(one.rating - other.rating) for one, other in combinations(people, 2)))

    def figures(self, name: str) -> dict[str, float]:
        """Seconds and points of rating."""
        waits, distances = quantiles(self.waited, n=100), quantiles(self.distances, n=100)
        figures = {f"{name}: wait p{percent}, s": waits[percent - 1] / 1_000 for percent in (50, 95, 99)}
        figures |= {f"{name}: rating distance p{percent}": distances[percent - 1] for percent in (50, 95)}
        return figures | {f"{name}: people who went home": self.gone}


def evening(people: int, seconds: int) -> Iterator[Arrival]:
    """More of them in the middle than at either end."""
    randomness = Random(SEED)
    times = sorted(_time(randomness) * seconds * 1_000 for _ in range(people))
    for number, at in enumerate(times):
        [pool] = randomness.choices(list(POOLS), list(POOLS.values()))
        yield Arrival(f"person-{number}", int(at), pool, _rating(randomness))


def steady(people: int, pool: Pool) -> Iterator[Arrival]:
    """One a second, by chance."""
    randomness, at = Random(SEED), 0.0
    for number in range(people):
        at += randomness.expovariate(1.0) * 1_000
        yield Arrival(f"person-{number}", int(at), pool, _rating(randomness))


def _time(randomness: Random) -> float:
    while True:
        when = randomness.random()
        if randomness.random() < 0.2 + 0.8 * sin(pi * when):
            return when


def _rating(randomness: Random) -> int:
    return min(max(round(randomness.gauss(1_500, 300)), 0), 4_000)


def in_the_region(arrivals: Sequence[Arrival]) -> Waits:
    region, waits = Region(), Waits()
    for each in arrivals:
        region.send("lobby", NoteRating(account=each.account, rating=each.rating), 0)
    for at, account, command in _orders(arrivals):
        if command is None:
            waits.gone += region.leave(account, at)
        else:
            region.send(account, command, at)
    people = {each.account: each for each in arrivals}
    for at, match in region.matches:
        waits.seat([people[seat.account] for seat in match.seats], at)
    return waits


def _orders(arrivals: Sequence[Arrival]) -> Iterator[tuple[int, str, JoinQueue | None]]:
    joins = ((each.at, each.account, JoinQueue(pool=each.pool)) for each in arrivals)
    leaves = ((each.at + PATIENCE_MS, each.account, None) for each in arrivals)
    yield from heapq.merge(joins, leaves, key=lambda order: order[:2])


def first_come_first_served(arrivals: Sequence[Arrival]) -> Waits:
    """Whoever is there, whatever the ratings."""
    waits, lines = Waits(), defaultdict[Pool, list[Arrival]](list)
    for each in arrivals:
        here = [other for other in lines[each.pool] if each.at - other.at < PATIENCE_MS]
        waits.gone += len(lines[each.pool]) - len(here)
        lines[each.pool] = [*here, each]
        if len(lines[each.pool]) == each.pool.seats:
            waits.seat(lines.pop(each.pool), each.at)
    waits.gone += sum(len(line) for line in lines.values())
    return waits
