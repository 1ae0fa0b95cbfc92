"""A region's public queue: tickets a second beside a hundred thousand people who wait, what these cost, and how long
people wait in an evening."""

import json
import time
from collections.abc import Iterator, Sequence
from statistics import median, quantiles

from bench.evening import evening, first_come_first_served, in_the_region, steady
from bench.region import Region
from bench.restore_process import resident
from bench.telling import tell
from contracts.region import JoinQueue, NoteAway, NoteRating, Pool, RegionCommand
from lobby.region import codec
from lobby.region.state import Lobby

WAITING = 100_000
TICKETS = 6_000
RUNS = 5
EVENING_PEOPLE = 50_000
EVENING_SECONDS = 5 * 60 * 60
STEADY_PEOPLE = 7_200
MIB = 2**20
CROWDED = [
    Pool(preset=preset, seats=seats, target=target, rated=rated)
    for preset in ("draw", "block")
    for seats in (3, 4)
    for target in (50, 100, 150)
    for rated in (False, True)
]
LACKING_ONE = [pool for pool in CROWDED if not pool.rated]
TWOS = [Pool(preset=preset, seats=2, target=target) for preset in ("draw", "block") for target in (50, 100, 150)]


def measure() -> dict[str, float]:
    """Figures by name; seconds and rates are of processor time, waits of the simulated people's."""
    return crowd() | waits()


# ---- a crowd


def crowd() -> dict[str, float]:
    tell(f"{WAITING:,} people queue")
    region, before, began = Region(), resident(), time.process_time()
    for account, command in _people_who_wait(WAITING):
        region.send(account, command, 0)
    seconds = time.process_time() - began
    figures = {
        "people who wait": len(region.lobby.queue.unit_numbers),
        "until all of them wait, tickets/s": WAITING / seconds,
        "MiB, the whole process": resident() / MIB,
        "MiB, these people": (resident() - before) / MIB,
    }
    tell(f"{TICKETS:,} tickets more")
    for name, pools, matches in (("every other one", TWOS, TICKETS // 2), ("each", LACKING_ONE, TICKETS)):
        rates = [_rate(region.lobby, pools, matches) for _ in range(RUNS)]
        figures[f"tickets/s beside them, {name} a match"] = median(rates)
    tell("snapshots")
    return figures | _snapshot(region.lobby)


def _people_who_wait(count: int) -> Iterator[tuple[str, RegionCommand]]:
    """In all pools alike: of four units one is a person who is away, the others are groups; a third of these is not
    whole, the rest lacks one person to fill a table."""
    number = unit = 0
    while number < count:
        unit += 1
        if unit % 4 == 0:
            yield f"person-{number}", JoinQueue(pool=TWOS[unit // 4 % len(TWOS)].model_copy())
            yield f"person-{number}", NoteAway()
            number += 1
            continue
        pool = CROWDED[unit // 12 % len(CROWDED)].model_copy()
        size = pool.seats - 1
        for _ in range(min(size - int(unit % 3 == 0), count - number)):
            account = f"person-{number}"
            yield "lobby", NoteRating(account=account, rating=1_000 + number % 1_000)
            yield account, JoinQueue(pool=pool, group=f"group{unit:08}", group_size=size)
            number += 1


def _rate(lobby: Lobby, pools: Sequence[Pool], matches: int) -> float:
    region = Region(lobby)
    commands = [JoinQueue(pool=pools[number % len(pools)].model_copy()) for number in range(TICKETS)]
    began = time.process_time()
    for number, command in enumerate(commands):
        region.send(f"late-{number}", command, 1)
    seconds = time.process_time() - began
    if len(region.matches) != matches:
        raise SystemExit(f"expected {matches} matches, got {len(region.matches)}")
    return TICKETS / seconds


def _snapshot(lobby: Lobby) -> dict[str, float]:
    written, restored, size = [], [], 0
    for _ in range(RUNS):
        began = time.process_time()
        body = json.dumps(codec.to_json(lobby)).encode()
        half = time.process_time()
        back = codec.from_json(json.loads(body))
        restored.append(time.process_time() - half)
        written.append(half - began)
        size = len(body)
        if back != lobby:
            raise SystemExit("a snapshot gave another lobby back")
    return {
        "snapshot of them, MiB": size / MIB,
        "snapshot of them, s": median(written),
        "restoring them, s": median(restored),
    }


# ---- people's waits


def waits() -> dict[str, float]:
    tell(f"an evening of {EVENING_PEOPLE:,} people")
    arrivals = list(evening(EVENING_PEOPLE, EVENING_SECONDS))
    figures = in_the_region(arrivals).figures("evening")
    figures |= first_come_first_served(arrivals).figures("evening, first come first served")
    for seats in (2, 4):
        tell(f"one arrival a second, {seats} seats")
        one_pool = list(steady(STEADY_PEOPLE, Pool(preset="draw", seats=seats, target=100, rated=True)))
        waited = quantiles(in_the_region(one_pool).waited, n=100)
        figures[f"one arrival a second, rated, {seats} seats: wait p99, s"] = waited[98] / 1_000
    return figures


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name}: {value:,.2f}")
