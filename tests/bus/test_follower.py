import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from tests.memory_log import MemoryLog

from bus.follower import TopicFollower
from bus.records import NewRecord, Record, TopicPartition
from bus.sender import Letter, LetterSender
from contracts.envelope import DeadLetter

FIRST, SECOND = TopicPartition("table.lifecycle", 0), TopicPartition("table.lifecycle", 1)


def tell(record: Record) -> Sequence[Letter]:
    if record.value == b"?":
        raise ValueError
    return [Letter("target", "k", f"{record.partition}:{record.offset}".encode())]


@asynccontextmanager
async def running(log: MemoryLog) -> AsyncIterator[TopicFollower]:
    sender = LetterSender(log, "test", ["target", "test.dead"])
    follower = TopicFollower(log.parts(), "lives", "table.lifecycle", tell, sender, consumer="test")
    await sender.start()
    await follower.start()
    loop = asyncio.create_task(follower.run())
    try:
        yield follower
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        await follower.stop()


def put(log: MemoryLog, partition: TopicPartition, value: bytes = b"v") -> None:
    log.put(NewRecord(*partition, b"k", value))


def told(log: MemoryLog) -> list[str]:
    return sorted((record.value or b"").decode() for record in log.all("target"))


async def test_every_record_of_the_assigned_partitions_is_acted_on() -> None:
    log = MemoryLog(assigned={FIRST})
    put(log, FIRST)
    put(log, SECOND)
    async with running(log):
        await log.until_committed("lives", FIRST, 1)
        put(log, FIRST)
        await log.until_committed("lives", FIRST, 2)
    assert told(log) == ["0:0", "0:1"]


async def test_a_successor_goes_on_at_the_committed_offset() -> None:
    log = MemoryLog(assigned={FIRST, SECOND}, commits={"lives": {FIRST: 1}})
    for _ in range(2):
        put(log, FIRST)
    put(log, SECOND)
    async with running(log):
        await log.until_committed("lives", FIRST, 2)
        await log.until_committed("lives", SECOND, 1)
    assert told(log) == ["0:1", "1:0"]


async def test_a_partition_that_goes_to_somebody_else_is_let_alone() -> None:
    log = MemoryLog(assigned={FIRST, SECOND})
    put(log, FIRST)
    async with running(log):
        await log.until_committed("lives", FIRST, 1)
        log.assigned.discard(FIRST)
        put(log, SECOND)
        await log.until_committed("lives", SECOND, 1)
        put(log, FIRST)
        put(log, SECOND)
        await log.until_committed("lives", SECOND, 2)
    assert told(log) == ["0:0", "1:0", "1:1"]


async def test_a_record_that_cannot_be_read_is_a_dead_letter_and_the_next_one_is_acted_on() -> None:
    log = MemoryLog(assigned={FIRST})
    put(log, FIRST, b"?")
    put(log, FIRST)
    async with running(log):
        await log.until_committed("lives", FIRST, 2)
    [record] = log.all("test.dead")
    dead = DeadLetter.model_validate_json(record.value or b"")
    assert record.key == b"k"
    assert (dead.topic, dead.partition, dead.offset, dead.code) == ("table.lifecycle", 0, 0, "undecodable")
    assert told(log) == ["0:1"]
