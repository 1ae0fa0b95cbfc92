"""What goes wrong in one run: a list made from the seed before it begins, so that single faults can be left out."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from tests.simulation.aims import DECIDERS, Aim, aims, circumstances
from tests.simulation.points import POINTS, Point

SECONDS = 15.0
"""How long faults happen; then everything is given the time to settle."""
TURN, MINUTES, DAY, MONTH = 21.0, 601.0, 86_520.0, 32 * 86_400.0
"""What passes at once, in s: a turn of play; more than most match clocks have; what a table may stand unattended; as
long as one that is over is kept."""

SENDS = (
    "lost",
    "lost",
    "lost-and-silent",
    "landed-unknown",
    "landed-unknown",
    "late",
    "late-and-silent",
    "twice",
    "raises",
)
SENDERS = ("events", "events", "events", "commands", "other", "timer", "lobby")
"""Whose next record is meant: the next in such a topic, or the next command of that service."""
DAMAGES = ("compact", "compact", "lose", "lose-marker", "lose-all", "corrupt", "corrupt", "stale", "newer")
TIMED = ("timer", "table", "tally", "lobby")
"""Processes that live by the log's time, whatever their own clocks show."""
STEPS = (-3600.0, -2.0, 2.0, 3600.0)
ZOMBIES = ("old-claim", "old-owner", "wrong-chain")
"""Why an outcome in an owner's name is void: its claim is not the newest, or is another one's, or a command is left
out."""
VOID_DEADLINES = ("early", "late", "none", "other")
GROUPS = ("table", "tally", "lobby", "lobby-policies", "lobby-lifecycle", "timer", "timer-rival", "table-projector")
RESTORING = tuple(
    point for point in POINTS if point.module in ("bus.restoring", "bus.snapshots.loading") or "claim" in point.function
)


@dataclass(frozen=True, slots=True)
class Fault:
    """`kind` happens at `at` s, or at the `nth` time from then on that a process (of kind `target`, if there is one)
    comes to `point`."""

    number: int
    at: float
    kind: str
    target: str = ""
    seconds: float = 0.0
    point: Point | None = None
    nth: int = 1

    def __str__(self) -> str:
        length = f" for {self.seconds:.2f} s" if self.seconds else ""
        where = f" at await {self.nth} of {self.point}" if self.point else ""
        return f"#{self.number} {self.kind} {self.target}{length}{where}"


def plan(seed: int, kinds: tuple[str, ...]) -> list[Fault]:
    """The faults of a seed, in order of time; `kinds` are the kinds of processes there are."""
    chance = random.Random(f"faults {seed}")
    drafts: list[tuple[float, dict[str, object]]] = []

    def add(count: float, **fault: object) -> None:
        times = int(count * SECONDS / 24 * chance.uniform(0.5, 1.5) + chance.random())
        for _ in range(times):
            drafts.append(
                (chance.uniform(1.0, SECONDS), {name: _drawn(chance, value) for name, value in fault.items()})
            )

    for aim in aims(seed):
        drafts.extend(_of_aim(aim, chance))
    short, between, long = (partial(chance.uniform, *span) for span in ((0.05, 1.2), (1.5, 4.0), (2.1, 7.0)))
    add(4, kind="kill", point=lambda: chance.choice(POINTS), nth=lambda: chance.randint(1, 3))
    add(3, kind="kill", target=lambda: chance.choice(kinds))
    add(4, kind="rebalance", point=lambda: chance.choice(RESTORING), nth=lambda: chance.randint(1, 3))
    add(4, kind="pause", point=lambda: chance.choice(POINTS), seconds=long)
    add(2, kind="terminate", target=lambda: chance.choice(kinds))
    add(3, kind="pause", target=lambda: chance.choice(kinds), seconds=short)
    add(3, kind="pause", target=lambda: chance.choice(kinds), seconds=long)
    add(2, kind="cut", target=lambda: chance.choice(kinds), seconds=short)
    add(1, kind="cut", target=lambda: chance.choice(kinds), seconds=long)
    add(5, kind="cut", target=lambda: chance.choice(DECIDERS), seconds=long)
    add(2, kind="pause", target=lambda: chance.choice(DECIDERS), seconds=long)
    add(2, kind="expel", target=lambda: chance.choice(kinds))
    add(2, kind="rebalance", target=lambda: chance.choice(GROUPS))
    add(8, kind="rebalance", target=lambda: chance.choice(DECIDERS))
    add(40, kind="send", target=lambda: f"{chance.choice(SENDERS)} {chance.choice(SENDS)}")
    back = -1.5 if seed % 2 else 0.5  # every other seed's clock only goes ahead
    add(4, kind="step-broker", seconds=lambda: chance.uniform(back, 1.5))
    add(1, kind="step-process", target=lambda: chance.choice(kinds), seconds=lambda: chance.uniform(-60.0, 60.0))
    add(2, kind="step-process", target=lambda: chance.choice(TIMED), seconds=lambda: chance.choice(STEPS))
    add(3, kind="snapshots", target=lambda: chance.choice(DAMAGES))
    add(2, kind="flush-cache")
    add(2, kind="cache-away", seconds=lambda: chance.uniform(0.2, 4.0))
    add(2, kind="stranger", target=lambda: chance.choice(("malformed", "claim", "heartbeat", "outcome")))
    add(2, kind="doubled-timeout")
    add(2, kind="early-timeout")
    add(2, kind="late-leader", target=lambda: chance.choice(DECIDERS), seconds=lambda: chance.uniform(0.1, 3.0))
    add(1, kind="skip", target=lambda: chance.choice(("valid", "valid", "ahead", "behind", "backwards")))
    add(3, kind="pass", seconds=lambda: chance.choice((TURN, TURN, TURN, MINUTES)))
    add(1, kind="late-timers", target=lambda: chance.choice(("pause", "kill")), seconds=between)
    add(4, kind="zombie", target=lambda: f"{chance.choice(ZOMBIES)} {chance.choice(VOID_DEADLINES)}")
    if "long waits" in circumstances(seed):
        drafts.extend(_long_waits(chance))
    if "poison" in circumstances(seed):
        drafts.append((chance.uniform(1.0, 4.0), {"kind": "poison"}))
    drafts.sort(key=lambda draft: draft[0])
    return [Fault(number, at, **fields) for number, (at, fields) in enumerate(drafts, start=1)]  # type: ignore[arg-type]


def _long_waits(chance: random.Random) -> Iterator[tuple[float, dict[str, object]]]:
    """People fall asleep for a day in which programs go on at first, and nobody comes for a month."""
    night = chance.uniform(3.0, 6.0)
    yield night, {"kind": "night", "seconds": 6.0}
    yield night + 0.5, {"kind": "pass", "seconds": MINUTES}
    yield night + 4.0, {"kind": "pass", "seconds": DAY}
    yield chance.uniform(12.5, 13.5), {"kind": "pass", "seconds": MONTH}


def _of_aim(aim: Aim, chance: random.Random) -> Iterator[tuple[float, dict[str, object]]]:
    """Crashes that wait for somebody to come to the place, and what leads there."""
    at = 0.0 if aim.at_once else chance.uniform(0.0, SECONDS * 0.8)
    for _ in range(aim.times):
        yield at, {"kind": "kill", "point": aim.point}
    for after, kind, target, seconds, point in aim.leads:
        yield at + after, {"kind": kind, "target": target, "seconds": seconds, "point": point}


def _drawn(chance: random.Random, value: object) -> object:
    return value() if callable(value) else value
