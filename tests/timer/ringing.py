"""A timer that rings over a log in memory."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.memory_log import NOON, MemoryLog
from tests.writing_owner import WritingOwner

from bus.decider import Deadline
from bus.health import Progress
from bus.records import Record, TopicPartition
from bus.sender import LetterSender
from bus.snapshots.marker import Marker
from bus.tail import Tail
from timer.alarms import Alarms
from timer.clockwork import Clockwork
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


async def hears(tail: Tail, log: MemoryLog, owner: WritingOwner, at: int) -> None:
    """The timer reads a heartbeat of the log time `at`."""
    log.clock.now = at
    owner.heartbeat()
    await tail.step()


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
