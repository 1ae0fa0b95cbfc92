import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from tests.memory_log import MemoryLog
from tests.writing_owner import WritingOwner

from bus.outcomes import Outcome, PartitionFold
from bus.policies import PolicyRunner, letter_id
from bus.records import NewRecord, TopicPartition
from bus.sender import Letter, LetterSender
from bus.snapshots import Marker

OTHER = TopicPartition("lobby.events", 1)
SOURCE = TopicPartition("lobby.events", 0)
EVENT = {"type": "match-made"}


def tell(outcome: Outcome) -> Sequence[Letter]:
    if outcome.aggregate == "unreadable":
        raise ValueError("a shape that the policy does not know")
    return [Letter("target", outcome.aggregate, str(outcome.offset).encode())]


@asynccontextmanager
async def running(log: MemoryLog) -> AsyncIterator[PolicyRunner]:
    sender = LetterSender(log, "test", ["target"])
    runner = PolicyRunner(log.parts(), "policies", "lobby.events", tell, sender)
    await sender.start()
    await runner.start()
    loop = asyncio.create_task(runner.run())
    try:
        yield runner
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        await runner.stop()


def told(log: MemoryLog) -> list[int]:
    return [int(record.value or b"") for record in log.all("target")]


async def test_each_valid_outcome_is_acted_on_once_and_committed() -> None:
    log = MemoryLog(assigned={SOURCE})
    owner = WritingOwner(log, SOURCE)
    first = owner.write("eu", EVENT)
    owner.write("eu", EVENT, void=True)
    second = owner.write("eu", EVENT)
    async with running(log):
        await log.until_committed("policies", SOURCE, second + 1)
        third = owner.write("eu", EVENT)
        await log.until_committed("policies", SOURCE, third + 1)
    assert told(log) == [first, second, third]


async def test_a_successor_folds_from_the_start_and_acts_from_the_committed_offset_on() -> None:
    log = MemoryLog(assigned={SOURCE})
    owner = WritingOwner(log, SOURCE)
    owner.write("eu", EVENT)
    second = owner.write("eu", EVENT)
    log.commits["policies"] = {SOURCE: second}
    async with running(log):
        await log.until_committed("policies", SOURCE, second + 1)
    assert told(log) == [second]


async def test_an_outcome_that_a_policy_cannot_read_is_passed_over() -> None:
    log = MemoryLog(assigned={SOURCE})
    owner = WritingOwner(log, SOURCE)
    owner.write("unreadable", EVENT)
    second = owner.write("eu", EVENT)
    async with running(log):
        await log.until_committed("policies", SOURCE, second + 1)
    assert told(log) == [second]


async def test_a_partition_that_is_lost_and_comes_back_goes_on_where_it_was() -> None:
    log = MemoryLog(assigned={SOURCE, OTHER})
    owner, other = WritingOwner(log, SOURCE), WritingOwner(log, OTHER)
    first = owner.write("eu", EVENT)
    async with running(log):
        await log.until_committed("policies", SOURCE, first + 1)
        log.assigned.discard(SOURCE)
        elsewhere = other.write("us", EVENT)
        await log.until_committed("policies", OTHER, elsewhere + 1)
        second = owner.write("eu", EVENT)
        log.assigned.add(SOURCE)
        await log.until_committed("policies", SOURCE, second + 1)
    assert sorted(told(log)) == sorted([first, elsewhere, second])


def test_a_letters_id_says_where_it_comes_from() -> None:
    assert letter_id("lobby.events", 3, 17, 0) == "lobby.events:3:17:0"


def mark(log: MemoryLog, position: int) -> None:
    """A marker of the log as it is before `position`."""
    fold = PartitionFold(SOURCE)
    for record in log.records[SOURCE][:position]:
        fold.take(record)
    marker = Marker(position, fold.validity, 0, None, 0, 0, "1", 1)
    log.put(NewRecord("lobby.markers", SOURCE.partition, marker.key(SOURCE.partition), marker.pack()))


def forget(log: MemoryLog, position: int) -> None:
    """Nobody can read the log before `position` any more."""
    held = log.records[SOURCE]
    held[:position] = [replace(record, headers=()) for record in held[:position]]


async def test_what_lies_before_a_marker_need_not_be_read_when_it_is_committed() -> None:
    log = MemoryLog(assigned={SOURCE})
    owner = WritingOwner(log, SOURCE)
    owner.write("eu", EVENT)
    second = owner.write("eu", EVENT)
    mark(log, second)
    forget(log, second)
    log.commits["policies"] = {SOURCE: second}
    async with running(log):
        await log.until_committed("policies", SOURCE, second + 1)
    assert told(log) == [second]


async def test_a_marker_behind_what_is_committed_is_of_no_use() -> None:
    log = MemoryLog(assigned={SOURCE})
    owner = WritingOwner(log, SOURCE)
    first = owner.write("eu", EVENT)
    second = owner.write("eu", EVENT)
    mark(log, second)
    log.commits["policies"] = {SOURCE: first}
    async with running(log):
        await log.until_committed("policies", SOURCE, second + 1)
    assert told(log) == [first, second]
