import asyncio
from io import StringIO

import pytest
from rich.console import Console
from tests.capicua.server.audit.scribe import ADDED, NOON, Scribe, alarm
from tests.memory_log import MemoryLog

from bus.confirmed import Confirmed
from bus.header import HEADER, Heartbeat, pack
from bus.health import Progress
from bus.outcomes import PartitionFold
from bus.records import LogTruncated, NewRecord, Record, TopicPartition
from capicua.server.bar import reading_bar
from capicua.server.timers.reading import Reading, Survey
from timer.alarms import Alarms
from timer.shelf import Shelf
from timer.snapshots import SNAPSHOT_SECONDS, SnapshotLoader, SnapshotWriter

EVENTS = TopicPartition("tally.events", 0)


class ExpiredLog(MemoryLog):
    """Its event topics hold nothing before offset `first`."""

    first = 0

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        _, end = await super().bounds(partition)
        return (self.first if partition == EVENTS else 0), end


def put(log: MemoryLog, *records: Record) -> None:
    for record in records:
        log.clock.now = record.timestamp
        log.put(NewRecord(record.topic, record.partition, record.key, record.value, record.headers))


def written() -> Scribe:
    scribe = Scribe().begin()
    scribe.outcome("a", [ADDED], deadline=alarm(length=60_000))
    scribe.now += 1000
    scribe.outcome("b", [ADDED], deadline=alarm(length=90_000))
    return scribe


async def surveyed(log: MemoryLog, snapshots: SnapshotLoader | None = None) -> Survey:
    with reading_bar(Console(file=StringIO())) as bar:
        return await Reading(log.parts(), bar, snapshots).survey([EVENTS.topic])


async def test_a_record_that_comes_while_it_reads_tells_the_brokers_time() -> None:
    log, scribe = MemoryLog(), written()
    put(log, *scribe.events)
    reading = asyncio.create_task(surveyed(log))
    await log.until(EVENTS.topic, len(scribe.events))
    while not reading.done():
        log.put(NewRecord(*EVENTS, None, b"", ((HEADER, pack(Heartbeat(scribe.owner))),)))
        await asyncio.sleep(0)
    survey = await reading
    assert (survey.fresh, survey.now) == (True, NOON + 1000)
    standing = [each.aggregate for partition in survey.partitions for each in partition.standing(survey.now)]
    assert standing == ["a", "b"]


async def test_where_nobody_is_heard_the_machine_tells_the_time_but_never_one_before_the_log() -> None:
    log = MemoryLog()
    put(log, *written().events)
    log.clock.now = NOON - 3_600_000
    survey = await surveyed(log)
    assert (survey.fresh, survey.now, survey.records) == (False, NOON + 1000, 4)


async def test_a_log_whose_beginning_has_expired_is_read_from_its_newest_marker() -> None:
    log, scribe = ExpiredLog(partitions=1), written()
    put(log, *scribe.events)
    confirmed = Confirmed(EVENTS)
    for record in scribe.events[:3]:
        confirmed.take(record)
    marker = confirmed.mark("1", 1)
    log.put(NewRecord("tally.markers", 0, marker.key(0), marker.pack()))
    log.first = 2
    survey = await surveyed(log)
    assert survey.from_markers == [EVENTS]
    assert [each.aggregate for each in survey.partitions[0].standing(survey.now)] == ["b"]


async def test_without_a_marker_such_a_log_cannot_be_read() -> None:
    log = ExpiredLog(partitions=1)
    put(log, *written().events)
    log.first = 2
    with pytest.raises(LogTruncated, match="from its start or a marker, got records from 2 on"):
        await surveyed(log)


async def keep(log: MemoryLog) -> None:
    """The timer reads partition 0 to its end and writes a snapshot."""
    parts, alarms, fold, shelf = log.parts(), Alarms(), PartitionFold(EVENTS), Shelf(EVENTS)
    for outcome in fold.all(log.records[EVENTS]):
        shelf.set(outcome.aggregate, outcome.deadline)
    writer = SnapshotWriter(parts, alarms, lambda _: fold, lambda _: [], SNAPSHOT_SECONDS)
    await writer.write(EVENTS, shelf)
    await writer.stop()


async def test_on_from_the_timers_snapshot_it_finds_what_it_finds_from_the_start() -> None:
    log, scribe = MemoryLog(), written()
    put(log, *scribe.events)
    await keep(log)
    before = len(scribe.events)
    scribe.outcome("a", [ADDED], deadline=None)
    scribe.outcome("c", [ADDED], deadline=alarm(length=70_000))
    put(log, *scribe.events[before:])
    loader = SnapshotLoader(log.parts(), [EVENTS.topic], Progress(log.clock))
    await loader.start()
    kept, whole = await surveyed(log, loader), await surveyed(log)
    await loader.stop()
    assert (kept.from_snapshots, kept.records, whole.from_snapshots, whole.records) == (1, 2, 0, 6)
    assert [list(each.standing(kept.now)) for each in kept.partitions] == [
        list(each.standing(whole.now)) for each in whole.partitions
    ]
    assert {each.aggregate for partition in kept.partitions for each in partition.standing(kept.now)} == {"b", "c"}
