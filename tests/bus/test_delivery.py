import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.memory_log import MemoryLog, let_everybody_run

from bus.delivery import COMMIT_SECONDS, WAITING_MAX, Delivery
from bus.health import Progress
from bus.records import TopicPartition
from bus.sender import Letter, LetterSender

SOURCE = TopicPartition("table.events", 1)


def letter(text: str, key: str = "k") -> Letter:
    return Letter("target", key, text.encode())


def values(log: MemoryLog) -> list[bytes | None]:
    return [record.value for record in log.all("target")]


@asynccontextmanager
async def delivering(log: MemoryLog, committed: int = 0) -> AsyncIterator[Delivery]:
    sender = LetterSender(log, "test", ["target"])
    await sender.start()
    membership = log.membership("group", [])
    delivery = Delivery(SOURCE, committed, sender, membership.commit, log.parts())
    try:
        yield delivery
    finally:
        await delivery.stop()


async def test_what_is_put_is_sent_in_order_and_then_committed() -> None:
    log = MemoryLog()
    async with delivering(log) as delivery:
        for offset in range(300):
            delivery.put(offset, [letter(f"{offset}")])
        delivery.reached(305)
        await log.until_committed("group", SOURCE, 305)
    assert values(log) == [str(offset).encode() for offset in range(300)]


async def test_an_unknown_result_is_repeated_before_anything_that_follows() -> None:
    log = MemoryLog(trouble=[TimeoutError(), TimeoutError("lost")])
    async with delivering(log) as delivery:
        delivery.put(0, [letter("first"), letter("second")])
        delivery.reached(1)
        await log.until_committed("group", SOURCE, 1)
    assert values(log) == [b"first", b"first", b"second"]


async def test_nothing_is_committed_before_it_is_durable() -> None:
    log = MemoryLog(trouble=[TimeoutError("lost")])
    async with delivering(log) as delivery:
        delivery.put(0, [letter("first")])
        delivery.reached(1)
        await let_everybody_run()
        assert not log.trouble
        assert log.commits == {}
        assert values(log) == []
        await log.until_committed("group", SOURCE, 1)
        assert values(log) == [b"first"]


async def test_what_lies_below_the_committed_offset_has_been_sent_before() -> None:
    log = MemoryLog()
    async with delivering(log, committed=5) as delivery:
        delivery.put(4, [letter("old")])
        delivery.put(5, [letter("new")])
        delivery.reached(6)
        await log.until_committed("group", SOURCE, 6)
    assert values(log) == [b"new"]


async def test_progress_without_letters_is_committed_now_and_then() -> None:
    log = MemoryLog()
    async with delivering(log) as delivery:
        log.clock.now += int(COMMIT_SECONDS * 1000) + 1
        delivery.reached(17)
        await log.until_committed("group", SOURCE, 17)
        delivery.reached(18)
        await let_everybody_run()
        assert log.commits["group"][SOURCE] == 17


async def test_a_reader_waits_while_too_much_is_waiting_and_shows_that_it_lives() -> None:
    log = MemoryLog()
    async with delivering(log) as delivery:
        progress = Progress(log.clock)
        for offset in range(WAITING_MAX + 1):
            delivery.put(offset, [letter("x", key=f"{offset}")])
        log.clock.now += 60_000
        assert progress.stalled
        waiting = asyncio.create_task(delivery.room(progress))
        await let_everybody_run()
        assert not progress.stalled
        assert not waiting.done()
        delivery.reached(WAITING_MAX + 1)
        await waiting
