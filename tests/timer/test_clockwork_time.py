"""Clocks, takeovers and zombies: what a timer believes, and when."""

import pytest
from tests.memory_log import NOON, HandClock, MemoryLog, let_everybody_run
from tests.timer.ringing import DUE, HOUR_MS, SOURCE, hears, ids, time_passes, timer_over
from tests.writing_owner import WritingOwner

from bus.decider import Deadline
from bus.outcomes import PartitionFold
from bus.snapshots.marker import Marker
from contracts.envelope import Refusal
from timer.packing import standing
from timer.shelf import Shelf


class WrongWall(HandClock):
    """A machine whose wall clock is wrong by `wrong` ms; its monotonic seconds are right."""

    wrong = 0

    def wall(self) -> int:
        return super().wall() + self.wrong


class AskedWall(HandClock):
    """Remembers whether it was asked what its wall shows."""

    asked = False

    def wall(self) -> int:
        self.asked = True
        return super().wall()


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
        await hears(tail, log, owner, log.clock.now + 1)
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]


async def test_the_wall_clock_is_not_even_asked_how_late_a_timeout_was() -> None:
    clock = AskedWall()
    log = MemoryLog(clock=clock)
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    time_passes(log, owner, 2000)
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]
        await let_everybody_run()
    assert not clock.asked


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
        await hears(tail, log, owner, DUE.due_at + 1)
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
        await hears(tail, log, owner, log.clock.now + 2000)
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
        await hears(tail, log, owner, log.clock.now + 1)
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]
