from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest
from tests.memory_log import MemoryLog, MemoryReader

from bus.held import held
from bus.records import LogUnavailable, NewRecord, Record, TopicPartition

PLACE = TopicPartition("table.events", 0)


@dataclass
class GrowingLog(MemoryLog):
    """Counts its readers, and gets a record more when one of them comes."""

    readers: int = 0

    def reader(self, name: str) -> MemoryReader:
        self.readers += 1
        put(self, "later")
        return super().reader(name)


def put(log: MemoryLog, *texts: str) -> None:
    for text in texts:
        log.put(NewRecord(*PLACE, b"t1", text.encode()))


async def test_all_that_a_partition_holds_comes_in_order_and_nothing_of_its_neighbours() -> None:
    log = MemoryLog()
    put(log, "one", "two", "three")
    log.put(NewRecord("table.events", 1, b"t2", b"of another"))
    assert [record.value async for record in held(log, PLACE, "test")] == [b"one", b"two", b"three"]


async def test_what_is_appended_meanwhile_is_left_to_the_next_reading() -> None:
    log = GrowingLog()
    put(log, "one")
    assert [record.value async for record in held(log, PLACE, "test")] == [b"one"]
    assert [record.value async for record in held(log, PLACE, "test")] == [b"one", b"later"]


async def test_an_empty_partition_needs_no_reader() -> None:
    log = GrowingLog()
    assert [record async for record in held(log, PLACE, "test")] == []
    assert log.readers == 0


class SilentReader(MemoryReader):
    """Its broker has nothing to say."""

    stopped = False

    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        return {}

    async def stop(self) -> None:
        self.stopped = True


class SilentLog(MemoryLog):
    def reader(self, name: str) -> SilentReader:
        self.silent = SilentReader(self)
        return self.silent


async def test_a_broker_that_says_nothing_is_not_waited_for_for_ever() -> None:
    log = SilentLog()
    put(log, "one")
    with pytest.raises(LogUnavailable, match="expected records to 1, got none from 0"):
        _ = [record async for record in held(log, PLACE, "test")]
    assert log.silent.stopped
