"""The broker: partitions that only grow, its own clock, and those who want to hear of every record."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from tests.simulation.loop import SimulationLoop
from tests.simulation.processes import NOON

from bus.records import NewRecord, Record, TopicPartition


@dataclass(slots=True)
class Partition:
    records: list[Record | None] = field(default_factory=list)
    """By offset; None where compaction has taken one away, which happens to snapshots only."""
    waiting: dict[int, Callable[[], None]] = field(default_factory=dict)
    """Readers that have read everything, by number."""


class ClockSetting(NamedTuple):
    """Since when, in s, the broker's clock is `wrong` by how many ms, and how many of log time have `passed` without
    anybody's waiting."""

    since: float
    wrong: int
    passed: int


class Broker:
    """Its clock may step either way, and hours may pass at once: `clocks` has both. `seen` is called with every record
    appended."""

    def __init__(self, loop: SimulationLoop, chance: random.Random, topics: dict[str, int]) -> None:
        self.loop = loop
        self.chance = chance
        self.topics = topics
        self.partitions = {
            TopicPartition(topic, number): Partition() for topic, count in topics.items() for number in range(count)
        }
        self.clocks = [ClockSetting(0.0, 0, 0)]
        self.went_back = False
        """Whether its clock was ever set back."""
        self.told_ends: dict[TopicPartition, int] = {}
        """Of partitions whose new leader does not know yet how far they are durable."""
        self.crowded = False
        """Whether writers have to wait for room as often as not."""
        self.seen: list[Callable[[Record], None]] = []

    def now(self) -> int:
        """The broker's time in ms."""
        return NOON + int(self.loop.time() * 1000) + self.clocks[-1].wrong

    def log_now(self) -> int:
        """Log time in ms: the broker's, and what has passed without anybody's waiting."""
        return self.now() + self.clocks[-1].passed

    def step(self, ms: int) -> None:
        _, wrong, passed = self.clocks[-1]
        self.clocks.append(ClockSetting(self.loop.time(), wrong + ms, passed))
        self.went_back = self.went_back or ms < 0

    def let_pass(self, ms: int) -> None:
        """In log time alone."""
        _, wrong, passed = self.clocks[-1]
        self.clocks.append(ClockSetting(self.loop.time(), wrong, passed + ms))

    def _when(self, stamp: int) -> tuple[float, int]:
        """The first moment, in s, at which log time was `stamp` or more, and what had passed until then. It may have
        come to be more by what was let pass just then."""
        moments, before = list[tuple[float, int]](), 0
        for since, wrong, passed in self.clocks:
            shown = (stamp - NOON - wrong - passed) / 1000
            moments.append((shown, passed) if shown > since else (since, before))
            before = passed
        return min(moments)

    def since(self, stamp: int) -> float:
        """For how long, in s, log time has been `stamp` or more; what passes without waiting does not count."""
        return self.loop.time() - self._when(stamp)[0]

    def lasted(self, stamp: int) -> float:
        """For how long, in s, log time has been `stamp` or more; what passes without waiting counts."""
        moment, passed = self._when(stamp)
        return self.loop.time() - moment + (self.clocks[-1].passed - passed) / 1000

    def steady_since(self, stamp: int) -> bool:
        """Whether its clock has not been set since log time was `stamp`."""
        moment, _ = self._when(stamp)
        return all(before.wrong == after.wrong for before, after in pairwise(self.clocks) if after.since > moment)

    def end(self, partition: TopicPartition) -> int:
        return len(self.partitions[partition].records)

    def told_end(self, partition: TopicPartition) -> int:
        """Where the partition ends, as whoever asks is told."""
        return self.told_ends.get(partition, self.end(partition))

    def record(self, partition: TopicPartition, offset: int) -> Record:
        """One of a topic that keeps everything."""
        record = self.partitions[partition].records[offset]
        assert record is not None
        return record

    def append(self, new: NewRecord) -> Record:
        where = TopicPartition(new.topic, new.partition)
        partition = self.partitions[where]
        passed = self.clocks[-1].passed
        record = Record(*where, len(partition.records), self.now(), new.key, new.value, new.headers, passed=passed)
        partition.records.append(record)
        for see in self.seen:
            see(record)
        if partition.waiting:
            waiting, partition.waiting = partition.waiting, {}
            for wake in waiting.values():
                self.loop.outside(self.latency(), wake)
        return record

    def latency(self) -> float:
        """Seconds on the way to or from the broker: mostly short, now and then long."""
        drawn = self.chance.random()
        return 0.0005 + 0.004 * drawn if drawn < 0.97 else 0.05 * self.chance.random()
