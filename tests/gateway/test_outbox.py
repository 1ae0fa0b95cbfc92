import asyncio

from gateway.outbox import GOING_AWAY, TOO_SLOW, Outbox


class Sent:
    """A client that reads only while `reads` is set."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self.one_more = asyncio.Semaphore(0)

    async def __call__(self, text: str) -> None:
        await self.reads.wait()
        self.texts.append(text)
        self.one_more.release()


async def test_messages_go_out_in_order_and_the_close_comes_last() -> None:
    outbox, sent = Outbox(), Sent()
    outbox.put("a")
    outbox.put("b")
    outbox.finish(GOING_AWAY)
    outbox.put("c")
    assert await outbox.drain(sent) is GOING_AWAY
    assert sent.texts == ["a", "b"]


async def test_too_many_messages_end_in_a_close_that_says_come_back() -> None:
    outbox, sent = Outbox(messages_max=4), Sent()
    for number in range(5):
        outbox.put(str(number))
    assert outbox.overflow.is_set()
    assert await outbox.drain(sent) is TOO_SLOW
    assert sent.texts == []


async def test_too_many_bytes_end_in_a_close_that_says_come_back() -> None:
    outbox = Outbox(bytes_max=100)
    outbox.put("x" * 60)
    assert not outbox.overflow.is_set()
    outbox.put("x" * 60)
    assert outbox.overflow.is_set()


async def test_bytes_that_have_gone_out_do_not_count() -> None:
    outbox, sent = Outbox(bytes_max=100), Sent()
    draining = asyncio.create_task(outbox.drain(sent))
    for _ in range(10):
        outbox.put("x" * 60)
        await sent.one_more.acquire()
    assert not outbox.overflow.is_set()
    draining.cancel()


async def test_there_is_room_again_only_when_half_has_gone_out() -> None:
    outbox, sent = Outbox(messages_max=4), Sent()
    sent.reads.clear()
    for number in range(4):
        outbox.put(str(number))
    waiting = asyncio.create_task(outbox.room())
    draining = asyncio.create_task(outbox.drain(sent))
    await asyncio.sleep(0)
    assert not waiting.done()
    sent.reads.set()
    await waiting
    draining.cancel()
