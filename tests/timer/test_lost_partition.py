"""A partition of commands that takes nothing for a while holds up its own timeouts, and nobody else's."""

import asyncio

from tests.memory_log import MemoryLog, MemoryWriter
from tests.timer.ringing import DUE, SOURCE, ids, timer_over
from tests.writing_owner import WritingOwner

from bus.partitioning import partition_of
from bus.records import NewRecord, TopicPartition
from timer import clockwork

OTHER = TopicPartition("table.events", 1)


class LostPartition(MemoryLog):
    """Nothing is known of what is sent to the first partition. `full` once as much is on its way to it as may be."""

    def __init__(self) -> None:
        super().__init__()
        self.lost = 0
        self.full = asyncio.Event()

    def writer(self, name: str) -> MemoryWriter:
        self.writers += 1
        return _Writer(self)


class _Writer(MemoryWriter):
    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        log = self.log
        assert isinstance(log, LostPartition)
        if record.partition != SOURCE.partition:
            return await super().append(record)
        log.lost += 1
        if log.lost >= clockwork.SENDING_MAX:
            log.full.set()
        return asyncio.get_running_loop().create_future()


def names(partition: TopicPartition, count: int) -> list[str]:
    """Of aggregates that belong there."""
    found = (name for number in range(100 * count) if partition_of(name := f"t{number}", 3) == partition.partition)
    return [next(found) for _ in range(count)]


async def test_very_many_timeouts_to_a_partition_that_is_lost_leave_room_for_those_to_another() -> None:
    log = LostPartition()
    owner, other = WritingOwner(log, SOURCE), WritingOwner(log, OTHER)
    for name in names(SOURCE, 5 * clockwork.SENDING_MAX):
        owner.write(name, deadline=DUE)
    reached = names(OTHER, 3)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.gain(OTHER)
        await tail.step()
        await log.full.wait()
        for name in reached:
            other.write(name, deadline=DUE)
        other.heartbeat()
        await tail.step()
        assert ids(await log.until("table.commands", 3)) == [f"timeout:{name}:turn-1:1" for name in reached]


async def test_a_timeout_that_is_durable_makes_room_though_another_sent_with_it_is_not() -> None:
    log = LostPartition()
    owner, other = WritingOwner(log, SOURCE), WritingOwner(log, OTHER)
    reached = names(OTHER, 3 * clockwork.SENDING_MAX)
    for name in names(SOURCE, 3):
        owner.write(name, deadline=DUE)
    for name in reached:
        other.write(name, deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    other.heartbeat()
    async with timer_over(log) as tail:
        await tail.gain(OTHER)
        await tail.step()
        assert set(ids(await log.until("table.commands", len(reached)))) == {f"timeout:{n}:turn-1:1" for n in reached}
