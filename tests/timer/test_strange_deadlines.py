"""Deadlines that no decider of ours writes, between those that they write."""

import asyncio

import pytest
from tests.memory_log import NOON, MemoryLog, let_everybody_run
from tests.timer.ringing import DUE, SOURCE, ids, timer_over
from tests.writing_owner import WritingOwner

from bus.decider import Deadline

LEAST, MOST = -(1 << 63), (1 << 63) - 1


@pytest.mark.parametrize(
    ("aggregate", "deadline"),
    [
        ("", DUE),
        ("t" * 129, DUE),
        ("t0", Deadline("turn", "r" * 255, NOON, NOON + 1)),
        ("t0", Deadline("", "", LEAST, LEAST)),
        ("t0", Deadline("k\x00\n", "\x00", MOST, -1)),
    ],
)
async def test_whatever_a_header_holds_the_other_alarms_ring(aggregate: str, deadline: Deadline) -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write(aggregate, deadline=deadline)
    owner.write("t1", deadline=DUE)
    owner.write("never", deadline=Deadline("turn", "turn-1", LEAST, MOST))
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        async with asyncio.timeout(5):
            while "timeout:t1:turn-1:1" not in ids(log.all("table.commands")):
                await log.moved.wait()
        await let_everybody_run()
        assert not any("never" in each for each in ids(log.all("table.commands")))
        assert len(log.all("table.commands")) <= 2
