from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from tests.capicua.server.audit.scribe import ADDED, Scribe
from tests.memory_log import MemoryLog, MemoryReader

from bus.records import LogUnavailable, NewRecord, Record, TopicPartition
from capicua.server.audit import End, Known, LogSource, audit


def logged(*logs: Scribe) -> MemoryLog:
    memory = MemoryLog(partitions=len(logs))
    for log in logs:
        for record in (*log.commands, *log.events):
            memory.clock.now = record.timestamp
            memory.put(NewRecord(record.topic, record.partition, record.key, record.value, record.headers))
    return memory


def busy(partition: int) -> Scribe:
    log = Scribe(partition=partition).begin()
    for _ in range(5):
        log.now += 10
        log.outcome(f"a{partition}", [ADDED])
    return log


async def test_a_log_is_read_partition_after_partition_and_every_command_before_its_outcome() -> None:
    source = LogSource(logged(busy(0), busy(1)), ["tally"])
    await source.survey()
    assert source.total == 2 * (5 + 7)
    places = [
        "end" if isinstance(item, End) else f"{item.topic.partition('.')[2]}{item.partition}@{item.offset}"
        async for item in source.records()
    ]
    assert len(places) == source.total + 2
    assert places[0:6] == ["events0@0", "events0@1", "commands0@0", "events0@2", "commands0@1", "events0@3"]
    assert places[12] == "end"


async def test_any_log_can_be_audited() -> None:
    read: list[int] = []
    source = LogSource(logged(busy(0), busy(1), Scribe(partition=2)), ["tally"], read.append)
    known = await source.survey(Known(settled=True))
    report = await audit(source.records(), known)
    assert [violation.cause.value for violation in report.violations] in (
        [],
        ["wrong-partition"] * len(report.violations),
    )
    assert (report.records, report.commands, report.partitions) == (14, 10, 3)
    assert sum(read) == source.total


async def test_what_is_written_meanwhile_is_not_read() -> None:
    log = busy(0)
    memory = logged(log)
    source = LogSource(memory, ["tally"])
    known = await source.survey()
    memory.put(NewRecord("tally.events", 0, None, b"late"))
    report = await audit(source.records(), known)
    assert report.records == 7
    assert not report.void


@dataclass
class Stoppable(MemoryReader):
    stopped: int = 0

    async def stop(self) -> None:
        self.stopped += 1


@dataclass
class CountingLog(MemoryLog):
    readers: list[Stoppable] = field(default_factory=list)

    def reader(self, _: str) -> MemoryReader:
        self.readers.append(Stoppable(self))
        return self.readers[-1]


async def test_every_reader_is_stopped_those_too_that_had_nothing_to_read() -> None:
    log = CountingLog(2, records=logged(busy(0)).records)
    source = LogSource(log, ["tally"])
    await source.survey()
    async for _ in source.records():
        pass
    assert [reader.stopped for reader in log.readers] == [1, 1, 1, 1]


@dataclass
class Silent(MemoryReader):
    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        return {}


class SilentLog(MemoryLog):
    def reader(self, _: str) -> MemoryReader:
        return Silent(self)


async def test_records_that_never_come_are_not_waited_for_for_ever() -> None:
    source = LogSource(SilentLog(1, records=logged(busy(0)).records), ["tally"])
    await source.survey()
    with pytest.raises(LogUnavailable, match="expected records to 5, got none from 0"):
        async for _ in source.records():
            pass
