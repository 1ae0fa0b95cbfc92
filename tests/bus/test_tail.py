from collections.abc import Collection

import pytest
from tests.memory_log import MemoryLog
from tests.writing_owner import WritingOwner

from bus.group_tail import GroupTail
from bus.health import Progress
from bus.outcomes import Outcome
from bus.records import LogUnavailable, TopicPartition
from bus.skew import SKEW_MS
from bus.tail import Tail

FIRST, SECOND = TopicPartition("table.events", 0), TopicPartition("table.events", 1)


class Diary:
    """An `OutcomeHandler` that writes down what it is told."""

    def __init__(self) -> None:
        self.lines: list[tuple[object, ...]] = []

    async def gained(self, partition: TopicPartition) -> None:
        self.lines.append(("gained", partition.partition))

    def outcome(self, outcome: Outcome) -> None:
        self.lines.append(("outcome", outcome.source.partition, outcome.offset))

    async def flush(self, partition: TopicPartition, position: int) -> None:
        self.lines.append(("flush", partition.partition, position))

    async def caught_up(self, partition: TopicPartition) -> None:
        self.lines.append(("caught up", partition.partition))

    async def lost(self, partition: TopicPartition) -> None:
        self.lines.append(("lost", partition.partition))


class Reading:
    """A tail over a log in memory, with its diary and its idea of the broker's time."""

    def __init__(self, log: MemoryLog) -> None:
        self.log = log
        self.diary = Diary()
        self.parts = log.parts()
        self.time = self.parts.time
        self.progress = Progress(log.clock)
        self.tail = Tail(self.parts, self.diary, self.progress)

    def told(self) -> list[tuple[object, ...]]:
        """What was told since the last time."""
        lines, self.diary.lines = self.diary.lines, []
        return lines


async def test_valid_outcomes_are_handed_on_in_order_and_then_the_position() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, FIRST)
    offsets = [owner.write("t1"), owner.write("t1")]
    owner.write("t1", void=True)
    reading = Reading(log)
    await reading.tail.start([FIRST], "test")
    await reading.tail.gain(FIRST)
    await reading.tail.step()
    assert reading.told() == [
        ("gained", 0),
        ("outcome", 0, offsets[0]),
        ("outcome", 0, offsets[1]),
        ("flush", 0, 5),
        ("caught up", 0),
    ]
    assert not reading.tail.catching_up


async def test_an_empty_partition_is_caught_up_at_once() -> None:
    reading = Reading(MemoryLog())
    await reading.tail.start([FIRST], "test")
    await reading.tail.gain(FIRST)
    assert reading.told() == [("gained", 0), ("caught up", 0)]


async def test_a_partition_that_comes_back_is_read_from_its_start_again() -> None:
    log = MemoryLog()
    offset = WritingOwner(log, FIRST).write("t1")
    reading = Reading(log)
    await reading.tail.start([FIRST], "test")
    for _ in range(2):
        await reading.tail.gain(FIRST)
        await reading.tail.step()
        await reading.tail.lose(FIRST)
        assert reading.told() == [
            ("gained", 0),
            ("outcome", 0, offset),
            ("flush", 0, offset + 1),
            ("caught up", 0),
            ("lost", 0),
        ]
    assert reading.tail.gained == frozenset()


async def test_the_brokers_time_is_learnt_from_what_is_appended_while_reading() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, FIRST)
    owner.heartbeat()
    log.clock.now += 3_600_000
    reading = Reading(log)
    await reading.tail.start([FIRST], "test")
    await reading.tail.gain(FIRST)
    await reading.tail.step()
    assert reading.time.now() == log.clock.now  # an hour old records do not make the broker an hour slow
    owner.heartbeat()
    log.clock.now += 5
    await reading.tail.step()
    assert reading.time.now() == log.clock.now - 5


async def test_leaders_whose_clocks_differ_are_told_of(caplog: pytest.LogCaptureFixture) -> None:
    log = MemoryLog()
    owners = [WritingOwner(log, FIRST), WritingOwner(log, SECOND)]
    reading = Reading(log)
    await reading.tail.start([FIRST, SECOND], "test")
    await reading.tail.gain(FIRST)
    await reading.tail.gain(SECOND)
    await reading.tail.step()
    for _ in range(45):
        log.clock.now += 1000
        for owner, ahead in zip(owners, (0, SKEW_MS + 1), strict=True):
            log.clock.jump(ahead)
            owner.heartbeat()
            log.clock.jump(-ahead)
        await reading.tail.step()
    (alarm,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert "table.events:1 is ahead of that of table.events:0" in alarm


async def test_a_group_gains_and_loses_as_it_is_assigned_and_keeps_the_rest() -> None:
    log = MemoryLog(partitions=2, assigned={FIRST})
    reading = Reading(log)
    group = GroupTail(reading.parts, reading.tail, "group", ["table.events"])
    await group.start()
    assert not group.ready
    await group.step()
    assert group.ready
    assert reading.told() == [("gained", 0), ("caught up", 0)]
    log.assigned = {FIRST, SECOND}
    await group.step()
    assert reading.told() == [("gained", 1), ("caught up", 1)]
    log.assigned = {SECOND}
    await group.step()
    assert reading.told() == [("lost", 0)]


class SilentLog(MemoryLog):
    """A log whose broker does not answer for partitions whose leader is `silent`."""

    silent: Collection[TopicPartition] = (FIRST,)

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        if partition in self.silent:
            raise LogUnavailable("no answer")
        return await super().bounds(partition)


async def test_a_partition_that_cannot_be_gained_yet_is_gained_later() -> None:
    log = SilentLog(partitions=1, assigned={FIRST})
    reading = Reading(log)
    group = GroupTail(reading.parts, reading.tail, "group", ["table.events"])
    await group.start()
    await group.step()
    assert reading.told() == []
    assert not group.ready
    log.silent = ()
    await group.step()
    assert reading.told() == [("gained", 0), ("caught up", 0)]
    assert group.ready


async def test_a_partition_that_cannot_be_gained_keeps_no_other_waiting() -> None:
    everything = [TopicPartition("table.events", number) for number in range(4)]
    log = SilentLog(partitions=4, assigned=set(everything))
    log.silent = everything[:2]
    reading = Reading(log)
    group = GroupTail(reading.parts, reading.tail, "group", ["table.events"])
    await group.start()
    for _ in range(3):
        await group.step()
    assert reading.tail.gained == set(everything[2:])
    assert not group.ready
    log.silent = everything[:1]
    for _ in range(2):
        await group.step()
    assert reading.tail.gained == set(everything[1:])
    log.silent = ()
    await group.step()
    assert group.ready
