"""Which places that wait a seed aims its crashes at, and what must happen for somebody to come there."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from tests.simulation.knobs import drawn
from tests.simulation.points import POINTS, Point

SHARE = 8
"""Each seed aims at an eighth of all places, so that of eight seeds in a row each place is aimed at by one."""
DECIDERS = ("table", "tally", "lobby")
STOPPING = {
    "bus.runtime": DECIDERS,
    "bus.owner": DECIDERS,
    "bus.follower": ("lobby",),
    "bus.policies": ("lobby",),
    "bus.group_tail": ("lobby", "timer", "projector"),
    "bus.tail": ("lobby", "timer", "projector", "gateway"),
    "bus.sender": ("lobby", "timer", "projector", "gateway"),
    "gateway.hub": ("gateway",),
    "gateway.live_cache": ("gateway",),
    "gateway.reading": ("gateway",),
    "table.projector.projection": ("projector",),
    "timer.snapshots.loading": ("timer",),
    "timer.snapshots.writing": ("timer",),
}
"""The processes that wait there when they are told to stop."""
LOSING = {
    "bus.delivery": ("lobby-lifecycle", "lobby-policies", "table-projector"),
    "bus.follower": ("lobby-lifecycle",),
    "bus.group_tail": ("lobby-policies", "table-projector", "timer"),
    "bus.policies": ("lobby-policies",),
    "bus.tail": ("lobby-policies", "table-projector"),
    "table.projector.projection": ("table-projector",),
    "bus.runtime": DECIDERS,
    "bus.owner": DECIDERS,
}
"""The groups whose members wait there when they lose a partition."""
DELIVERING = ("bus.delivery", "bus.follower", "bus.policies", "bus.tail", "table.projector.projection")
SLICED = (
    "bus.snapshots.loading",
    "bus.snapshots.writing",
    "bus.restoring",
    "bus.tail",
    "timer.snapshots.loading",
    "timer.snapshots.writing",
)
SELDOM = {
    "bus.follower": ("_step", "_take", "stop"),
    "bus.restoring": ("bounds_reaching", "load"),
    "bus.sender": ("send_until_durable", "_fresh_writer"),
    "bus.snapshots.loading": ("newest_marker",),
    "bus.snapshots.writing": ("_clear_away", "_write_all", "write"),
    "gateway.feed": ("flush",),
    "gateway.history": ("_read", "_take", "_work", "stop"),
    "gateway.live_cache": ("stop",),
    "gateway.past": ("outcomes",),
    "gateway.queue": ("leave_the_queue",),
    "gateway.tables": ("outage_ended", "stop"),
    "timer.snapshots.loading": ("_restore", "_shelf"),
    "timer.snapshots.writing": ("_clear_away", "stop", "write"),
}
"""Where few come, or few before all is well: a seed that aims there crashes whoever does, four times."""
LOST = ("_lose", "lose", "lost", "_give_up", "_own")


class Lead(NamedTuple):
    """A fault that leads somewhere, `after` s after the crash there has been armed."""

    after: float
    kind: str
    target: str = ""
    seconds: float = 0.0
    point: Point | None = None


class Aim(NamedTuple):
    """`times` crashes at `point`, from the beginning on or from some moment, after `leads`."""

    point: Point
    times: int
    at_once: bool
    leads: tuple[Lead, ...]


def aims(seed: int) -> list[Aim]:
    """Those of a seed, whatever its other faults are."""
    chance = random.Random(f"aims {seed}")
    return [_aim(point, chance) for number, point in enumerate(_ORDER) if number * SHARE // len(_ORDER) == seed % SHARE]


def circumstances(seed: int) -> set[str]:
    """What the run is like: by chance, and as its aims need it."""
    wanted = {needed for aim in aims(seed) for needed in _needed(aim.point)}
    return drawn(seed) | wanted


def _aim(point: Point, chance: random.Random) -> Aim:
    leads = tuple(_leads(point, chance))
    if point.function in SELDOM.get(point.module, ()):
        return Aim(point, 4, True, leads)
    rare = bool(leads) or bool(_needed(point))
    return Aim(point, 2 if rare else 1, rare, leads)


def _needed(point: Point) -> tuple[str, ...]:
    """Circumstances without which hardly anybody comes there."""
    match point.module, point.function:
        case "bus.suspicion", _:
            return ("poison",)
        case "bus.owner", "_own" if "weigh" in point.what:
            return ("poison",)
        case module, "room" | "_take" | "flush" if module in DELIVERING:
            return ("little room",)
        case "bus.follower", "_step" if "_take" in point.what:
            return ("little room",)
        case "bus.owner", "_claim" | "_append" | "_beat" if "_append" in point.what or "pipeline" in point.what:
            return ("crowded",)
        case "bus.snapshots.writing", "_send":
            return ("crowded",)
        case "bus.snapshots.writing", "_write_all" if "_durable" in point.what:
            return ("few snapshot records",)
        case "timer.snapshots.writing", "write" if "_append(waiting)" in point.what:
            return ("few snapshot records", "small chunks")
        case "gateway.absences", "_tell" | "_look_for_gone" | "_look_for_missed":
            return ("soon away",)
        case ("gateway.history" | "gateway.past", _) | ("gateway.tables", "stop"):
            return ("cold cache", "one pass", "short slices")
        case module, _ if module in SLICED and "sleep(0)" in point.what:
            return ("short slices",)
        case _, function if function in LOST:
            return ("pairs",)
    return ()


def _leads(point: Point, chance: random.Random) -> list[Lead]:
    match point.module, point.function:
        case "gateway.history" | "gateway.tables", "stop":
            cut = Lead(0.0, "cut", "gateway", 4.0, _place("gateway.history", "reader.start"))
            return [*_stopped_at("gateway.history", "_log.bounds", "gateway"), cut, cut]
        case "timer.clockwork", "stop":
            lost = [Lead(0.0, "send", "timer lost") for _ in range(3)]
            return [*lost, *_stopped_at("timer.clockwork", "tasks.sleep(pause)", "timer")]
        case module, "stop" if module in STOPPING:
            return [_some_time(chance, "terminate", STOPPING[module]) for _ in range(3)]
        case "bus.runtime", "run":
            return [_some_time(chance, "terminate", DECIDERS) for _ in range(3)]
        case "bus.restoring", "bounds_reaching" if point.line != _FIRST_BOUNDS.line:
            return _late_leaders(chance)
        case "bus.owner", "_claim" if "bounds_reaching" in point.what:
            return _late_leaders(chance)
        case module, function if function in LOST and module in LOSING:
            return [_some_time(chance, "rebalance", LOSING[module]) for _ in range(5)]
    return []


def _some_time(chance: random.Random, kind: str, targets: Sequence[str]) -> Lead:
    return Lead(chance.uniform(0.5, 11.0), kind, chance.choice(targets))


def _stopped_at(module: str, what: str, kind: str) -> list[Lead]:
    """The process is told to stop while it waits elsewhere."""
    return [Lead(0.0, "terminate", kind, point=_place(module, what)) for _ in range(3)]


def _place(module: str, what: str) -> Point:
    return next(point for point in POINTS if point.module == module and what in point.what)


def _late_leaders(chance: random.Random) -> list[Lead]:
    """A partition's end is told too early just when somebody takes it over."""
    found = []
    for _ in range(4):
        decider, after = chance.choice(DECIDERS), chance.uniform(0.5, 9.0)
        found.append(Lead(after, "late-leader", decider, chance.uniform(1.0, 3.0)))
        found.append(Lead(after + 0.05, "rebalance", decider))
    return found


_ORDER = sorted(POINTS, key=lambda point: (_needed(point), point))
"""Places that need the same circumstances are aimed at together: the other seeds are spared them."""
_FIRST_BOUNDS = next(point for point in POINTS if point[:2] == ("bus.restoring", "bounds_reaching"))
