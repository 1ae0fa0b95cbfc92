"""Who restores a snapshot knows what who reads the whole log knows, and whatever is wrong with it does no harm."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import pytest
from tests.memory_log import NOON, MemoryLog, MemoryWriter
from tests.timer.keeping import SNAPSHOTS, SOURCE, Keeper, busy, keeper, kept, put, replace_in_place
from tests.writing_owner import WritingOwner

import timer.snapshots.writing
from bus.decider import Deadline
from bus.records import NewRecord, Record, TopicPartition
from bus.snapshots.marker import Marker
from timer.snapshots.records import RecordKey, entries

DUE = Deadline("turn", "turn-1", NOON, NOON + 1000)


async def nothing() -> None: ...


@dataclass
class BusyLog(MemoryLog):
    """A log in which something happens before each record of a snapshot is appended."""

    meanwhile: Callable[[], Awaitable[None]] = nothing

    def writer(self, _: str) -> "BusyWriter":
        return BusyWriter(self, self)


class BusyWriter(MemoryWriter):
    def __init__(self, log: MemoryLog, busy_log: BusyLog) -> None:
        super().__init__(log)
        self._busy_log = busy_log

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        if record.topic == SNAPSHOTS.topic:
            await self._busy_log.meanwhile()
        return await super().append(record)


def marker_of(log: MemoryLog) -> Record:
    return next(record for record in kept(log) if b"#" not in (record.key or b""))


def chunks_of(log: MemoryLog) -> list[Record]:
    return [record for record in kept(log) if b"#" in (record.key or b"")]


async def written(log: MemoryLog) -> WritingOwner:
    """A log that a timer has read and written a snapshot of; more has been decided since."""
    owner = WritingOwner(log, SOURCE)
    busy(owner, log)
    async with keeper(log) as first:
        await first.write()
    busy(owner, log, first=40)
    return owner


async def folded_from_the_start(log: MemoryLog) -> Keeper:
    held = log.records.pop(SNAPSHOTS, [])
    async with keeper(log) as whole:
        assert whole.began == 0
    log.records[SNAPSHOTS] = held
    return whole


async def test_who_restores_a_snapshot_and_who_reads_the_whole_log_know_the_same() -> None:
    log = MemoryLog()
    await written(log)
    whole = await folded_from_the_start(log)
    async with keeper(log) as restored:
        assert restored.began > 0
        assert restored.stands() == whole.stands()
        assert restored.shelf.kinds == {kind: count for kind, count in whole.shelf.kinds.items() if count}
        assert restored.validity == whole.validity
        assert len(restored.validity.outages.known) > 0
        assert restored.shelf.outages is restored.validity.outages


async def test_what_an_aggregate_waits_for_may_be_newer_in_a_snapshot_than_its_marker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While the snapshot is written the log goes on."""
    log = BusyLog()
    owner = WritingOwner(log, SOURCE)
    busy(owner, log)
    monkeypatch.setattr(timer.snapshots.writing, "CHUNK_BYTES_MAX", 200)
    monkeypatch.setattr(timer.snapshots.writing, "UNCONFIRMED_MAX", 1)
    async with keeper(log) as first:

        async def meanwhile() -> None:
            number = len(log.records[SNAPSHOTS]) if SNAPSHOTS in log.records else 0
            owner.write(f"t{number}")
            owner.write(f"t{number + 5}", deadline=DUE)
            await first.read()

        log.meanwhile = meanwhile
        await first.write()
        log.meanwhile = nothing
        assert len(chunks_of(log)) > 2
    whole = await folded_from_the_start(log)
    async with keeper(log) as restored:
        assert restored.began > 0
        assert restored.stands() == whole.stands()
        assert restored.validity == whole.validity


async def test_a_timeout_on_its_way_stands_in_the_snapshot_and_is_sent_again_by_the_next_timer() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    async with keeper(log) as first:
        (sent,) = first.alarms.take_due(DUE.due_at + 1, 10)
        await first.write()
    async with keeper(log) as second:
        assert second.began == 3
        (again,) = second.alarms.take_due(DUE.due_at + 1, 10)
        assert again.command_id == sent.command_id


async def test_a_snapshot_of_many_chunks_is_restored_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timer.snapshots.writing, "CHUNK_BYTES_MAX", 150)
    monkeypatch.setattr(timer.snapshots.writing, "UNCONFIRMED_MAX", 2)
    log = MemoryLog()
    await written(log)
    assert len(chunks_of(log)) == 3
    assert all(len(record.value or b"") <= 150 for record in chunks_of(log))
    async with keeper(log) as restored:
        assert restored.began > 0
        assert restored.stands() == (await folded_from_the_start(log)).stands()


async def test_the_neighbour_of_another_decider_in_the_same_partition_is_left_alone() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    async with keeper(log) as first:
        await first.write()
    neighbour = RecordKey(TopicPartition("lobby.events", 0), "9-00").pack()
    put(log, replace(marker_of(log), key=neighbour), marker_of(log).value)
    async with keeper(log) as second:
        assert second.began == 3
        owner.write("t2", deadline=DUE)
        await second.read()
        await second.write()
    assert neighbour in [record.key for record in kept(log)]
    assert len(kept(log)) == 3


# ---- what replaces what


async def test_the_older_snapshot_goes_when_the_newer_is_durable_and_the_last_record_is_no_tombstone() -> None:
    log = MemoryLog()
    owner = await written(log)
    older = {record.key for record in kept(log)}
    async with keeper(log) as second:
        await second.write()
        assert older.isdisjoint({record.key for record in kept(log)})
        assert log.records[SNAPSHOTS][-1].value is not None
        tombstones = [record.offset for record in log.records[SNAPSHOTS] if record.value is None]
        assert min(tombstones) > min(
            record.offset for record in log.records[SNAPSHOTS] if record.key == marker_of(log).key
        )
        busy(owner, log, first=80)
        await second.read()
        await second.write()
    assert len(kept(log)) == 2, "one chunk and its marker"


async def test_a_snapshot_that_is_cut_short_leaves_the_older_one_standing() -> None:
    log = MemoryLog()
    await written(log)
    before = marker_of(log)
    async with keeper(log) as second:
        log.trouble = [TimeoutError("lost")]
        with pytest.raises(timer.snapshots.writing.SnapshotFailed):
            await second.write()
    assert marker_of(log) == before
    async with keeper(log) as third:
        assert third.began == Marker.unpack(before.value or b"").position


async def test_of_two_timers_that_both_write_the_one_that_has_read_more_is_believed() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    busy(owner, log)
    async with keeper(log) as zombie, keeper(log) as second:
        busy(owner, log, first=40)
        await second.read()
        await second.write()
        await zombie.write()
        position = second.tail.fold(SOURCE).position
        async with keeper(log) as third:
            assert third.began == position
            assert third.stands() == second.stands()
            await third.write()
        assert len(kept(log)) == 2, "what both have left is cleared away"


# ---- what cannot be used


def damaged(log: MemoryLog) -> None:
    chunk = chunks_of(log)[0]
    value = bytearray(chunk.value or b"")
    value[-3] ^= 1
    replace_in_place(log, chunk, bytes(value))


def garbled_marker(log: MemoryLog) -> None:
    replace_in_place(log, marker_of(log), b"\x01garbled")


def newer(log: MemoryLog) -> None:
    marker = Marker.unpack(marker_of(log).value or b"")
    replace_in_place(log, marker_of(log), replace(marker, snapshot_version=2).pack())


def incomplete(log: MemoryLog) -> None:
    replace_in_place(log, chunks_of(log)[0], None)


def of_another_log(log: MemoryLog) -> None:
    marker = Marker.unpack(marker_of(log).value or b"")
    other = replace(marker, validity=replace(marker.validity, log_id=b"x" * 16))
    replace_in_place(log, marker_of(log), other.pack())


def behind_the_end(log: MemoryLog) -> None:
    marker = Marker.unpack(marker_of(log).value or b"")
    replace_in_place(log, marker_of(log), replace(marker, position=10_000).pack())


@pytest.mark.parametrize("harm", [damaged, garbled_marker, newer, incomplete, of_another_log, behind_the_end])
async def test_what_cannot_be_used_is_told_and_the_log_is_read_from_its_start(
    harm: Callable[[MemoryLog], None], caplog: pytest.LogCaptureFixture
) -> None:
    log = MemoryLog()
    await written(log)
    harm(log)
    async with keeper(log) as restored:
        assert restored.began == 0
        assert restored.stands() == (await folded_from_the_start(log)).stands()
        assert [record for record in caplog.records if record.levelno == logging.WARNING]
        await restored.write()
    caplog.clear()
    async with keeper(log) as after:
        assert after.began > 0
    assert [record for record in caplog.records if record.levelno == logging.WARNING] == []
    assert len(kept(log)) == 2, "what could not be used is cleared away"


async def test_no_snapshot_at_all_is_nothing_to_tell(caplog: pytest.LogCaptureFixture) -> None:
    log = MemoryLog()
    busy(WritingOwner(log, SOURCE), log)
    async with keeper(log) as first:
        assert first.began == 0
    assert caplog.records == []


async def test_an_older_whole_snapshot_is_taken_where_the_newest_is_damaged() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    busy(owner, log)
    async with keeper(log) as one, keeper(log) as other:
        await one.write()
        position = one.tail.fold(SOURCE).position
        busy(owner, log, first=40)
        await other.read()
        await other.write()
    newest = chunks_of(log)[-1]
    replace_in_place(log, newest, (newest.value or b"")[:-1] + b"?")
    async with keeper(log) as restored:
        assert restored.began == position
        assert restored.stands() == (await folded_from_the_start(log)).stands()


async def test_a_chunk_says_what_everybody_waits_for_and_no_more() -> None:
    log = MemoryLog()
    WritingOwner(log, SOURCE).write("tä", deadline=DUE)
    async with keeper(log) as first:
        await first.write()
    ((aggregate, stands),) = entries(chunks_of(log)[0].value or b"")
    assert aggregate == "tä"
    assert len(stands) == 17 + len("turn") + len("turn-1")
