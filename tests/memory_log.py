"""The ports of `bus.records` in memory, for tests of what reads and writes logs; and a clock that is set by hand."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bus.clock import BrokerTime
from bus.parts import Parts
from bus.records import NewRecord, Record, TopicPartition

NOON = 1_700_000_000_000


@dataclass
class HandClock:
    """`now` in ms of the broker; monotonic seconds go with it, but for the `jumped` ms that the broker's clock went
    ahead by itself. `passed` ms pass without waiting, in log time alone."""

    now: int = NOON
    passed: int = 0
    jumped: int = 0

    def jump(self, ms: int) -> None:
        self.now += ms
        self.jumped += ms

    def monotonic(self) -> float:
        return (self.now - self.jumped) / 1000

    def wall(self) -> int:
        return self.now + self.passed


@dataclass
class MemoryLog:
    """Topics of `partitions` partitions. `trouble` are answers of the next appends: what to raise after storing the
    record (`lost` says that it was not stored). `assigned` is what every membership owns."""

    partitions: int = 3
    clock: HandClock = field(default_factory=HandClock)
    records: dict[TopicPartition, list[Record]] = field(default_factory=dict)
    trouble: list[Exception] = field(default_factory=list)
    assigned: set[TopicPartition] = field(default_factory=set)
    commits: dict[str, dict[TopicPartition, int]] = field(default_factory=dict)
    writers: int = 0
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, record: NewRecord) -> Record:
        partition = TopicPartition(record.topic, record.partition)
        held = self.records.setdefault(partition, [])
        stored = Record(
            *partition, len(held), self.clock.now, record.key, record.value, record.headers, passed=self.clock.passed
        )
        held.append(stored)
        self.moved.set()
        self.moved = asyncio.Event()
        return stored

    def all(self, topic: str) -> list[Record]:
        return [
            record for partition, held in sorted(self.records.items()) if partition.topic == topic for record in held
        ]

    async def until(self, topic: str, count: int) -> list[Record]:
        """The records of `topic`, once there are `count`."""
        async with asyncio.timeout(10):
            while len(self.all(topic)) < count:
                await self.moved.wait()
        return self.all(topic)

    async def until_committed(self, group: str, partition: TopicPartition, offset: int) -> None:
        async with asyncio.timeout(10):
            while self.commits.get(group, {}).get(partition, -1) < offset:
                await self.moved.wait()

    def reader(self, _: str) -> "MemoryReader":
        return MemoryReader(self)

    def writer(self, _: str) -> "MemoryWriter":
        self.writers += 1
        return MemoryWriter(self)

    def membership(self, group: str, _: Sequence[str]) -> "MemoryMembership":
        return MemoryMembership(self, group)

    async def partition_count(self, _: str) -> int:
        return self.partitions

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        return 0, len(self.records.get(partition, ()))

    def parts(self) -> Parts:
        return Parts(self, clock=self.clock, time=BrokerTime(self.clock))


async def let_everybody_run() -> None:
    """Every task that can go on without waiting has done so."""
    for _ in range(50):
        await asyncio.sleep(0)


@dataclass
class MemoryWriter:
    log: MemoryLog
    broken: bool = False

    async def start(self) -> None: ...

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        error = self.log.trouble.pop(0) if self.log.trouble else None
        if error is None:
            future.set_result(self.log.put(record))
            return future
        if str(error) != "lost":
            self.log.put(record)
        future.set_exception(error)
        return future

    async def stop(self) -> None: ...


@dataclass
class MemoryReader:
    log: MemoryLog
    positions: dict[TopicPartition, int] = field(default_factory=dict)
    paused: set[TopicPartition] = field(default_factory=set)

    async def start(self, partitions: Iterable[TopicPartition]) -> None:
        self.paused = set(partitions)

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self.positions[partition] = offset
        self.paused.discard(partition)

    def pause(self, partition: TopicPartition) -> None:
        self.paused.add(partition)

    def resume(self, partition: TopicPartition) -> None:
        self.paused.discard(partition)

    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        batches = self._waiting()
        if not batches:
            moved = self.log.moved
            try:
                async with asyncio.timeout(timeout_ms / 1000):
                    await moved.wait()
            except TimeoutError:
                return {}
            batches = self._waiting()
        return batches

    def _waiting(self) -> dict[TopicPartition, list[Record]]:
        batches: dict[TopicPartition, list[Record]] = {}
        for partition, position in self.positions.items():
            records = self.log.records.get(partition, [])[position:]
            if records and partition not in self.paused:
                batches[partition] = records
                self.positions[partition] = records[-1].offset + 1
        return batches

    async def stop(self) -> None: ...


@dataclass
class MemoryMembership:
    log: MemoryLog
    group: str
    generation: int = 1

    async def start(self) -> None: ...

    @property
    def assignment(self) -> frozenset[TopicPartition]:
        return frozenset(self.log.assigned)

    async def changed(self, since: int) -> int:
        while self.generation <= since:
            await self.log.moved.wait()
        return self.generation

    async def commit(self, offsets: Mapping[TopicPartition, int]) -> bool:
        self.log.commits.setdefault(self.group, {}).update(offsets)
        self.log.moved.set()
        self.log.moved = asyncio.Event()
        return True

    async def committed(self, partition: TopicPartition) -> int | None:
        return self.log.commits.get(self.group, {}).get(partition)

    async def stop(self) -> None: ...
