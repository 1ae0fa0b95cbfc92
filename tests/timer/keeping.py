"""A timer's reading and its snapshots over a log in memory; nothing rings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from tests.memory_log import MemoryLog
from tests.writing_owner import WritingOwner

from bus.decider import Deadline
from bus.health import Progress
from bus.records import NewRecord, Record, TopicPartition
from bus.sender import LetterSender
from bus.tail import Tail
from bus.validity import Validity
from timer.alarms import Alarms
from timer.clockwork import Clockwork
from timer.shelf import Shelf
from timer.snapshots import SNAPSHOT_SECONDS, SnapshotLoader, SnapshotWriter
from timer.snapshots.records import TOPIC

SOURCE, SIBLING = TopicPartition("table.events", 0), TopicPartition("lobby.events", 0)
SNAPSHOTS = TopicPartition(TOPIC, 0)


@dataclass(frozen=True)
class Keeper:
    """One timer that has read `SOURCE` to its end. `began` is where its reading did."""

    alarms: Alarms
    tail: Tail
    writer: SnapshotWriter
    began: int

    @property
    def shelf(self) -> Shelf:
        shelf = self.alarms.shelf(SOURCE)
        assert shelf is not None
        return shelf

    @property
    def validity(self) -> Validity:
        return self.tail.fold(SOURCE).validity

    def stands(self) -> dict[str, bytes | None]:
        return {aggregate: self.shelf.stands(aggregate) for aggregate in self.shelf.names()}

    async def write(self) -> None:
        await self.writer.write(SOURCE, self.shelf)

    async def read(self) -> None:
        await self.tail.step()


@asynccontextmanager
async def keeper(log: MemoryLog) -> AsyncIterator[Keeper]:
    parts = log.parts()
    sender, alarms, progress = LetterSender(log, "timer", ["table.commands"]), Alarms(), Progress(parts.clock)
    loader = SnapshotLoader(parts, [SOURCE.topic, SIBLING.topic], progress)
    clockwork = Clockwork(parts, sender, alarms, loader.take, lambda partition: tail.fold(partition))
    writer = SnapshotWriter(parts, alarms, lambda partition: tail.fold(partition), loader.keys, SNAPSHOT_SECONDS)
    tail = Tail(parts, clockwork, progress)
    await loader.start()
    await tail.start([SOURCE], "timer")
    marker = await loader.load(SOURCE)
    await tail.gain(SOURCE, marker)
    began = tail.fold(SOURCE).position
    while tail.catching_up:
        await tail.step()
    yield Keeper(alarms, tail, writer, began)
    await loader.stop()
    await tail.stop()


def busy(owner: WritingOwner, log: MemoryLog, first: int = 0, count: int = 40) -> None:
    """Tables that wait, wait for something else, and wait no more; and an outage."""
    for number in range(first, first + count):
        log.clock.now += 4000 if number % 17 == 0 else 20
        due = Deadline("turn", f"turn-{number}", log.clock.now, log.clock.now + 20_000)
        owner.write(f"t{number % 13}", deadline=None if number % 5 == 0 else due)
        owner.write(f"t{number % 7}", deadline=due, void=number % 3 == 0)


def kept(log: MemoryLog) -> list[Record]:
    """What compaction would leave in the topic of snapshots."""
    newest: dict[bytes | None, Record] = {record.key: record for record in log.records.get(SNAPSHOTS, [])}
    return [record for record in newest.values() if record.value is not None]


def put(log: MemoryLog, record: Record, value: bytes | None) -> None:
    """Another value for the record's key."""
    log.put(NewRecord(record.topic, record.partition, record.key, value))


def replace_in_place(log: MemoryLog, record: Record, value: bytes | None) -> None:
    held = log.records[SNAPSHOTS]
    held[held.index(record)] = replace(record, value=value)
