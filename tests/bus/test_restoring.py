"""A new owner knows what the log says, whatever has become of the snapshot."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest
from tests.bus.owning import (
    EVENTS,
    MARKERS,
    OFTEN,
    SNAPSHOTS,
    add,
    decided,
    folded,
    owning,
    spoil,
    until_decided,
    with_snapshot,
)
from tests.bus.tally import Tally, TallyDecider
from tests.memory_log import MemoryLog, MemoryReader

from bus.continuity import WrongLog
from bus.records import NewRecord, Record, TopicPartition
from bus.snapshots.records import chunks_of, seal


async def next_answer(log: MemoryLog) -> int:
    """The version of `a0` after one more command that a new owner decides."""
    add(log, "a0", 1, "one-more")
    async with owning(log, OFTEN):
        return (await until_decided(log, "one-more")).version


async def test_the_snapshot_and_the_log_behind_it_are_all_that_a_new_owner_needs() -> None:
    log = await with_snapshot()
    spoil(log, EVENTS, 1, 7)  # all but the founding record, up to the last outcome
    assert await next_answer(log) == 3


async def test_what_came_behind_the_snapshot_is_folded_on_top() -> None:
    log = await with_snapshot()
    async with owning(log):  # without snapshots
        add(log, "a0", 5, "later")
        await until_decided(log, "later")
    assert await next_answer(log) == 4
    assert folded(log).aggregates["a0"].state == Tally(8)
    assert folded(log).alarms == []


async def test_first_answers_are_remembered_by_the_snapshot() -> None:
    log = await with_snapshot()
    add(log, "a0", 1, "c0")
    async with owning(log, OFTEN):
        await log.until(EVENTS.topic, len(log.all(EVENTS.topic)) + 1)
        while (last := decided(log)[-1]).duplicate_of is None:
            await log.moved.wait()
    assert (last.duplicate_of, last.version) == (0, 1)


async def test_a_log_that_somebody_else_began_is_an_alarm(caplog: pytest.LogCaptureFixture) -> None:
    log = MemoryLog(partitions=1)
    log.put(NewRecord(*EVENTS, None, b"whatever"))
    assert await next_answer(log) == 1
    assert "tally.events:0 does not begin with a founding record" in caplog.text


@pytest.mark.parametrize("partition", [SNAPSHOTS, MARKERS])
async def test_a_damaged_snapshot_is_passed_over_and_the_log_folded_instead(
    partition: TopicPartition, caplog: pytest.LogCaptureFixture
) -> None:
    log = await with_snapshot()
    spoil(log, partition)
    with caplog.at_level(logging.WARNING):
        assert await next_answer(log) == 3
    assert "is no snapshot of ours" in caplog.text


async def test_a_snapshot_of_another_format_is_passed_over() -> None:
    log = await with_snapshot()
    for offset, record in enumerate(log.records[SNAPSHOTS]):
        if record.value:
            newer = bytes((record.value[0] + 1,)) + record.value[1:]
            log.records[SNAPSHOTS][offset] = replace(record, value=newer)
    assert await next_answer(log) == 3


async def test_a_snapshot_of_another_version_of_the_decider_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    log = await with_snapshot()
    add(log, "a0", 1, "one-more")
    newer = TallyDecider()
    newer.snapshot_version = 2
    with caplog.at_level(logging.WARNING):
        async with owning(log, OFTEN, newer):
            assert (await until_decided(log, "one-more")).version == 3
    assert "expected states of version 2, got 1" in caplog.text


async def test_a_state_that_cannot_be_read_sends_its_owner_back_to_the_log() -> None:
    log = await with_snapshot()
    for offset, record in enumerate(log.records[SNAPSHOTS]):
        if record.value and record.key and record.key.startswith(b"a0@"):
            nonsense = record.value[5:13] + b'{"state":"?"}'
            log.records[SNAPSHOTS][offset] = replace(record, value=seal(nonsense))
    assert await next_answer(log) == 3


async def test_a_snapshot_that_does_not_reproduce_the_logs_digest_is_thrown_away() -> None:
    log = await with_snapshot()
    for offset, record in enumerate(log.records[SNAPSHOTS]):
        if record.key and record.key.startswith(b"a0@") and record.value:
            forged = (9).to_bytes(8, "big") + record.value[13:]
            log.records[SNAPSHOTS][offset] = replace(record, value=seal(forged))
    assert await next_answer(log) == 3


async def test_half_an_aggregate_belongs_to_no_snapshot() -> None:
    log = await with_snapshot()
    ((_, value),) = chunks_of("a0", 1, 1000, bytes(100))
    log.put(NewRecord(*SNAPSHOTS, b"a0@1@1000#1/2", value))
    assert await next_answer(log) == 3


async def test_a_log_that_ends_before_its_newest_marker_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bus.restoring.END_POLL_SECONDS", 0.001)
    log = await with_snapshot()
    del log.records[EVENTS][3:]
    with pytest.raises(WrongLog, match="its newest marker has seen"):
        async with owning(log, OFTEN) as work:
            await work


async def test_a_log_that_was_deleted_and_made_again_is_refused() -> None:
    log = await with_snapshot()
    length = len(log.records[EVENTS])
    del log.records[EVENTS]
    other = await with_snapshot(length)
    log.records[EVENTS] = other.records[EVENTS]
    with pytest.raises(WrongLog, match="another founding record"):
        async with owning(log, OFTEN) as work:
            await work


@dataclass
class HeldReader(MemoryReader):
    """Gives out no snapshot's record before `log.release` is set."""

    log: HeldLog
    snapshots: bool = False

    async def start(self, partitions: Iterable[TopicPartition]) -> None:
        known = list(partitions)
        self.snapshots = SNAPSHOTS in known
        self.log.open_readers += self.snapshots
        await super().start(known)

    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        if self.snapshots and SNAPSHOTS in self.positions:
            self.log.held.set()
            await self.log.release.wait()
        return await super().poll(timeout_ms)

    async def stop(self) -> None:
        self.log.open_readers -= self.snapshots


@dataclass
class HeldLog(MemoryLog):
    held: asyncio.Event = field(default_factory=asyncio.Event)
    release: asyncio.Event = field(default_factory=asyncio.Event)
    open_readers: int = 0

    def reader(self, _: str) -> HeldReader:
        return HeldReader(self)


async def test_a_rebalance_in_the_middle_of_a_restore_costs_that_restore_and_nothing_else() -> None:
    before = await with_snapshot()
    log = HeldLog(partitions=1, records=before.records)
    async with owning(log, OFTEN):
        await log.held.wait()
    assert log.open_readers == 0
    log.release.set()
    assert await next_answer(log) == 3
    assert log.open_readers == 0
