"""The broker: partitions that only grow, its own clock, and those who want to hear of every record."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.simulation.loop import SimulationLoop
from tests.simulation.processes import NOON

from bus.records import NewRecord, Record, TopicPartition


@dataclass(slots=True)
class Partition:
    records: list[Record | None] = field(default_factory=list)
    """By offset; None where compaction has taken one away, which happens to snapshots only."""
    waiting: dict[int, Callable[[], None]] = field(default_factory=dict)
    """Readers that have read everything, by number."""


class Broker:
    """Its clock may step either way: `clocks` has since when, in s, it was wrong by how many ms. `seen` is called with
    every record appended."""

    def __init__(self, loop: SimulationLoop, chance: random.Random, topics: dict[str, int]) -> None:
        self.loop = loop
        self.chance = chance
        self.topics = topics
        self.partitions = {
            TopicPartition(topic, number): Partition() for topic, count in topics.items() for number in range(count)
        }
        self.clocks = [(0.0, 0)]
        self.told_ends: dict[TopicPartition, int] = {}
        """Of partitions whose new leader does not know yet how far they are durable."""
        self.crowded = False
        """Whether writers have to wait for room as often as not."""
        self.seen: list[Callable[[Record], None]] = []

    def now(self) -> int:
        """The broker's time in ms."""
        return NOON + int(self.loop.time() * 1000) + self.clocks[-1][1]

    def step(self, ms: int) -> None:
        self.clocks.append((self.loop.time(), self.clocks[-1][1] + ms))

    def when(self, stamp: int) -> float:
        """The first moment, in s, at which its clock showed `stamp` or more."""
        moments = ((since, (stamp - NOON - wrong) / 1000) for since, wrong in reversed(self.clocks))
        return min(max(since, moment) for since, moment in moments)

    def steady_since(self, stamp: int) -> bool:
        """Whether its clock has not been set since it showed `stamp`."""
        return self.clocks[-1][0] <= self.when(stamp)

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
        record = Record(*where, len(partition.records), self.now(), new.key, new.value, new.headers)
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
