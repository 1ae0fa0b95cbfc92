import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.memory_log import NOON, HandClock, MemoryLog, let_everybody_run
from tests.writing_owner import WritingOwner

from bus.decider import Deadline
from bus.health import Progress
from bus.outcomes import PartitionFold
from bus.records import Record, TopicPartition
from bus.sender import LetterSender
from bus.snapshots.marker import Marker
from bus.tail import Tail
from contracts.envelope import Refusal
from timer.alarms import Alarms
from timer.clockwork import Clockwork
from timer.packing import standing
from timer.shelf import Shelf

HOUR_MS = 3_600_000
SOURCE = TopicPartition("table.events", 0)
DUE = Deadline("turn", "turn-1", NOON, NOON + 1000)


def sent(records: list[Record]) -> list[dict[str, Any]]:
    return [json.loads(record.value or b"") for record in records]


def ids(records: list[Record]) -> list[str]:
    return [envelope["id"] for envelope in sent(records)]


def time_passes(log: MemoryLog, owner: WritingOwner, ms: int) -> None:
    """While the owner is alive: an outage would put deadlines off."""
    until = log.clock.now + ms
    while log.clock.now < until:
        log.clock.now = min(log.clock.now + 2000, until)
        owner.heartbeat()


@asynccontextmanager
async def timer_over(
    log: MemoryLog, restored: Shelf | None = None, marker: Marker | None = None
) -> AsyncIterator[Tail]:
    """A running timer that has gained the partition; what it read at once is what was there."""
    parts = log.parts()
    sender = LetterSender(log, "timer", ["table.commands"])
    await sender.start()
    clockwork = Clockwork(parts, sender, Alarms(), lambda _: restored, lambda partition: tail.fold(partition))
    tail = Tail(parts, clockwork, Progress(parts.clock))
    await tail.start([SOURCE], "timer")
    await tail.gain(SOURCE, marker)
    ringing = asyncio.create_task(clockwork.run())
    try:
        yield tail
    finally:
        ringing.cancel()
        await asyncio.gather(ringing, return_exceptions=True)
        await clockwork.stop()


async def test_a_deadline_that_has_passed_is_sent_as_a_timeout_to_its_aggregate() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        [record] = await log.until("table.commands", 1)
    assert record.key == b"t1"
    assert sent([record]) == [
        {
            "id": "timeout:t1:turn-1:1",
            "principal": "timer",
            "aggregate": "t1",
            "command": {"type": "time-out", "kind": "turn", "ref": "turn-1"},
            "human": False,
        }
    ]


async def test_a_deadline_rings_when_the_logs_time_comes_to_it() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    async with timer_over(log) as tail:
        await tail.step()
        log.clock.now = DUE.due_at
        owner.heartbeat()
        await tail.step()
        await let_everybody_run()
        assert log.all("table.commands") == []
        log.clock.now = DUE.due_at + 1
        owner.heartbeat()
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]


async def test_the_deadline_of_a_void_outcome_means_nothing() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE, void=True)
    owner.write("t2", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t2:turn-1:1"]


async def test_what_was_answered_before_the_takeover_is_not_sent() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    time_passes(log, owner, 6000)
    owner.write("t1", {"type": "turn-timed-out"}, deadline=None)
    owner.write("t2", deadline=DUE)
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t2:turn-1:1"]


async def test_a_timeout_refused_as_too_early_comes_again_under_the_next_id() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        await log.until("table.commands", 1)
        early = Refusal(code="too-early", message="expected later")
        log.clock.now = DUE.due_at - 20
        owner.write("t1", deadline=DUE, refusal=early, principal="timer", command_id="timeout:t1:turn-1:1")
        await tail.step()
        log.clock.now = DUE.due_at + 60
        owner.heartbeat()
        await tail.step()
        assert ids(await log.until("table.commands", 2)) == ["timeout:t1:turn-1:1", "timeout:t1:turn-1:2"]


async def test_somebody_elses_refusal_does_not_call_a_timeout_back() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        await log.until("table.commands", 1)
        early = Refusal(code="too-early", message="expected later")
        owner.write("t1", deadline=DUE, refusal=early, principal="ann", command_id="timeout:t1:turn-1:1")
        owner.write("t2", deadline=DUE)
        log.clock.now += 1000
        owner.heartbeat()
        await tail.step()
        assert ids(await log.until("table.commands", 2)) == ["timeout:t1:turn-1:1", "timeout:t2:turn-1:1"]


async def test_a_send_whose_result_is_unknown_is_repeated_with_the_same_id_on_a_new_writer() -> None:
    log = MemoryLog(trouble=[TimeoutError(), TimeoutError("lost")])
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 2)) == ["timeout:t1:turn-1:1"] * 2
    assert log.writers == 3


async def test_everything_overdue_at_a_takeover_is_sent_at_once() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    for number in range(300):
        owner.write(f"t{number}", deadline=DUE)
    time_passes(log, owner, 60_000)
    async with timer_over(log) as tail:
        await tail.step()
        records = await log.until("table.commands", 300)
    assert len(set(ids(records))) == 300


async def test_an_outage_of_the_owner_puts_the_deadline_off_by_its_length_and_five_seconds() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    async with timer_over(log) as tail:
        await tail.step()
        log.clock.now = NOON + 8000
        owner.heartbeat()
        await tail.step()
        time_passes(log, owner, 6000)  # to one second, the outage's eight and five after the deadline was set
        await tail.step()
        await let_everybody_run()
        assert log.all("table.commands") == []
        log.clock.now += 1
        owner.heartbeat()
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]


class WrongWall(HandClock):
    """A machine whose wall clock is wrong by `wrong` ms; its monotonic seconds are right."""

    wrong = 0

    def wall(self) -> int:
        return super().wall() + self.wrong


@pytest.mark.parametrize("wrong", [-HOUR_MS, -2000, 2000, HOUR_MS])
async def test_a_wall_clock_that_is_wrong_neither_hastens_nor_delays_an_alarm(wrong: int) -> None:
    clock = WrongWall()
    clock.wrong = wrong
    log = MemoryLog(clock=clock)
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    async with timer_over(log) as tail:
        await tail.step()
        await let_everybody_run()
        assert log.all("table.commands") == [], "before a fresh record is seen nothing is believed but the log"
        time_passes(log, owner, 1000)
        await tail.step()
        await let_everybody_run()
        assert log.all("table.commands") == []
        log.clock.now += 1
        owner.heartbeat()
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]


@pytest.mark.parametrize("step", [-HOUR_MS, HOUR_MS])
async def test_a_wall_clock_that_is_stepped_while_alarms_wait_changes_nothing(step: int) -> None:
    clock = WrongWall()
    log = MemoryLog(clock=clock)
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    async with timer_over(log) as tail:
        await tail.step()
        owner.heartbeat()
        await tail.step()
        clock.wrong = step
        owner.write("t2", deadline=None)
        await tail.step()
        await let_everybody_run()
        assert log.all("table.commands") == []
        log.clock.now = DUE.due_at + 1
        owner.heartbeat()
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]


async def test_a_timer_that_comes_ten_minutes_late_sends_what_is_overdue_at_once_the_earliest_first() -> None:
    log = MemoryLog(partitions=1)
    owner = WritingOwner(log, SOURCE)
    for number in (3, 1, 2):
        owner.write(f"t{number}", deadline=Deadline("turn", f"turn-{number}", NOON, NOON + number * 1000))
    time_passes(log, owner, 600_000)
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 3)) == [f"timeout:t{n}:turn-{n}:1" for n in (1, 2, 3)]


async def test_of_a_zombies_outcomes_none_arms_replaces_or_disarms_an_alarm() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    owner.write("t1", deadline=None, void=True)
    owner.write("t1", deadline=Deadline("turn", "turn-2", NOON, NOON + HOUR_MS), void=True)
    owner.write("t2", deadline=DUE, void=True)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]
        early = Refusal(code="too-early", message="expected later")
        owner.write("t1", deadline=DUE, refusal=early, principal="timer", command_id="timeout:t1:turn-1:1", void=True)
        log.clock.now += 2000
        owner.heartbeat()
        await tail.step()
        await let_everybody_run()
        assert ids(log.all("table.commands")) == ["timeout:t1:turn-1:1"]


async def test_an_outage_that_a_snapshot_knows_of_puts_off_what_it_restores() -> None:
    """No outcome has told of the outages since."""
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = NOON + 8000
    owner.heartbeat()
    shelf = Shelf(SOURCE, 4)
    shelf.restore("t1", standing(DUE))
    fold = PartitionFold(SOURCE)
    list(fold.all(log.all("table.events")))
    marker = Marker(4, fold.validity, 0, None, 1, 0, "", 1)
    async with timer_over(log, restored=shelf, marker=marker) as tail:
        time_passes(log, owner, 6000)
        await tail.step()
        await let_everybody_run()
        assert log.all("table.commands") == []
        log.clock.now += 1
        owner.heartbeat()
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]
