"""Which places that wait a seed aims its crashes at, and what must happen for somebody to come there."""

import random
import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from tests.simulation.knobs import drawn
from tests.simulation.points import POINTS, Point

SHARE, SELDOM_SHARE, NEEDING_SHARE = 8, 2, 4
"""Of so many seeds in a row one aims at a place: at most of them, at those where few come, and at some of those that
need the same circumstances."""
OFTEN = 6
"""Faults of one kind that wait for somebody elsewhere, and lead to a place from there."""
TOGETHER_MAX = 2
"""Of those, so many at most are aimed at by one seed: who comes by many is killed at the first."""
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
SELDOM = (
    ("bus.delivery", "_run", "self._commit_up_to(self._position)"),
    ("bus.follower", "_step", "self._take("),
    ("bus.restoring", "_founding", "self._arrival()"),
    ("bus.restoring", "bounds_reaching", "parts.log.bounds(partition)"),
    ("bus.restoring", "fold", "self._founding()"),
    ("bus.restoring", "load", "sleep(0)"),
    ("bus.runtime", "start", "{name}.snapshots"),
    ("bus.sender", "_fresh_writer", "self._replacing"),
    ("bus.sender", "append_all", "self._fresh_writer()"),
    ("bus.sender", "send", "await self._fresh_writer()"),
    ("bus.sender", "send_until_durable", "sleep(pause)"),
    ("bus.sender", "stop", "self._sender.stop()"),
    ("bus.snapshots.writing", "_clear_away", "self._append("),
    ("bus.snapshots.writing", "_confirmed", "SETTLE_SECONDS"),
    ("bus.snapshots.writing", "_write_all", "self._durable("),
    ("bus.snapshots.writing", "_write_all", "sleep(0)"),
    ("bus.snapshots.writing", "write", "self._abandon()"),
    ("bus.suspicion", "weigh", "self._court.acquire()"),
    ("gateway.absences", "_say_who_is_here", "disconnected("),
    ("gateway.absences", "stop", "gather("),
    ("gateway.admission", "admit_inside", "self.admit("),
    ("gateway.admission", "room_shown_by", "room_of("),
    ("gateway.admission", "use_code", "judge("),
    ("gateway.history", "_read", "reader.stop()"),
    ("gateway.history", "_take", "sleep(0)"),
    ("gateway.history", "_work", "self._passes"),
    ("gateway.history", "stop", "gather("),
    ("gateway.hub", "_close", "sleep("),
    ("gateway.past", "outcomes", "self._history.of("),
    ("gateway.public_routes", "tables_of_a_room", "learn("),
    ("gateway.room_commands", "note", "noted("),
    ("gateway.room_routes", "command_a_room", "admit("),
    ("gateway.room_routes", "look_at_a_room", "admit("),
    ("gateway.room_routes", "look_at_a_room", "shown("),
    ("gateway.tables", "outage_ended", "sleep(0)"),
    ("gateway.tables", "stop", "gather("),
    ("table.projector.projection", "_follow", "write_finished("),
    ("timer.snapshots.loading", "_restore", "sleep(0)"),
    ("timer.snapshots.loading", "_why_unusable", "await"),
    ("timer.snapshots.loading", "start", "self._partitions(topic)"),
    ("timer.snapshots.writing", "_clear_away", "self._append("),
    ("timer.snapshots.writing", "write", "self._append(waiting)"),
)
"""Where few come: by module, function, and a part of the code."""
INNER = re.compile(r"^await (?:self\.)?(\w+)\(")
IDLE = re.compile(r"sleep\((?!0\))|\.wait\(\)|\.poll\(|changed\(")
FUNCTIONS = {point.function for point in POINTS}
LOST = ("_lose", "lose", "lost", "_give_up", "_own")


class Lead(NamedTuple):
    """A fault that leads somewhere, `after` s after the crash there has been armed."""

    after: float
    kind: str
    target: str = ""
    seconds: float = 0.0
    point: Point | None = None


class Turn(NamedTuple):
    """One of `every` so many seeds."""

    every: int
    at: int


class Aim(NamedTuple):
    """`times` crashes at `point`, from the beginning on or from some moment, after `leads`."""

    point: Point
    times: int
    at_once: bool
    leads: tuple[Lead, ...]


def aims(seed: int) -> list[Aim]:
    """Those of a seed, whatever its other faults are."""
    chance = random.Random(f"aims {seed}")
    return [_aim(point, chance) for point, turn in _TURNS.items() if seed % turn.every == turn.at]


def _turns() -> dict[Point, Turn]:
    """Whoever comes by many places is killed at the first that is aimed at: neighbours are aimed at by different seeds.
    Places that need the same circumstances are aimed at together, so that the other seeds are spared them."""
    turns: dict[Point, Turn] = {}
    ordered = sorted(filter(_worth, POINTS), key=lambda point: (_needed(point), _seldom(point), point))
    for group, (needed, found) in enumerate(groupby(ordered, key=_needed)):
        points = list(found)
        rounds = -(-len(points) // TOGETHER_MAX)
        for number, point in enumerate(points):
            if needed:
                turns[point] = Turn(NEEDING_SHARE * rounds, group % NEEDING_SHARE + NEEDING_SHARE * (number % rounds))
            else:
                every = SELDOM_SHARE if _seldom(point) else SHARE
                turns[point] = Turn(every, number % every)
    return turns


def _worth(point: Point) -> bool:
    """Whether it takes an aim to crash there often. Who is killed at an inner place waits at the outer ones too, and
    every process has tasks that sleep, or wait for news."""
    inner = INNER.search(point.what)
    common = (inner is not None and inner[1] in FUNCTIONS) or IDLE.search(point.what) is not None
    return _seldom(point) or not common or bool(_leads(point, random.Random(0)))


def _seldom(point: Point) -> bool:
    named = any(point[:2] == (module, function) and part in point.what for module, function, part in SELDOM)
    return named and point != _FIRST_BOUNDS


def circumstances(seed: int) -> set[str]:
    """What the run is like: by chance, and as its aims need it."""
    wanted = {needed for aim in aims(seed) for needed in _needed(aim.point)}
    return drawn(seed) | wanted


def _aim(point: Point, chance: random.Random) -> Aim:
    """Two crashes in eight seeds, or four where few come."""
    leads, seldom = tuple(_leads(point, chance)), _seldom(point)
    times = _TURNS[point].every * (4 if seldom else 2) // 8
    return Aim(point, times, seldom or bool(leads) or bool(_needed(point)), leads)


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
        case ("gateway.absences", "_tell" | "stop") | ("gateway.room_commands", "note"):
            return ("soon away",)
        case ("gateway.history", _) | ("gateway.past", "steps") | ("gateway.tables", "stop"):
            return ("cold cache", "one pass", "short slices")
        case ("gateway.public_routes", "tables_of_a_room") | ("gateway.room_followers", "run" | "flush" | "_flush"):
            return ("few names",)
        case module, _ if module in SLICED and "sleep(0)" in point.what:
            return ("short slices",)
        case _, function if function in LOST:
            return ("pairs",)
    return ()


def _leads(point: Point, chance: random.Random) -> list[Lead]:
    match point.module, point.function:
        case "gateway.history" | "gateway.tables", "stop":
            cut = Lead(0.0, "cut", "gateway", 4.0, _place("gateway.history", "reader.start"))
            return [*_stopped_at("gateway.history", "_log.bounds", "gateway"), *[cut] * OFTEN]
        case "gateway.absences", "stop":
            cut = Lead(0.0, "cut", "gateway", 4.0, _place("gateway.absences", "self._note("))
            return [*[cut] * OFTEN, *_stopped_at("gateway.absences", "self._note(", "gateway")]
        case "gateway.tables", "outage_ended":
            return [Lead(chance.uniform(0.5, 9.0), "pause", "table", 5.0) for _ in range(2)]
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
    return [Lead(0.0, "terminate", kind, point=_place(module, what))] * OFTEN


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


_FIRST_BOUNDS = next(point for point in POINTS if point[:2] == ("bus.restoring", "bounds_reaching"))
_TURNS = _turns()
