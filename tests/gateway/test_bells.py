"""Bells on a real server."""

import asyncio

from redis.asyncio import Redis
from tests.gateway.belled import belled, heard

from bus.tasks import LoopTasks
from gateway.bells import Bells


async def test_a_bell_is_heard_at_every_gateway_with_its_word(redis_url: str) -> None:
    async with belled(redis_url) as (_, here), belled(redis_url) as (_, there):
        words: asyncio.Queue[str] = asyncio.Queue()
        there.listen("bells-one", words.put_nowait)
        async with asyncio.timeout(10):
            assert await words.get() == ""
            await here.ring("bells-one", "word")
            assert await words.get() == "word"


async def test_who_has_left_hears_nothing_and_who_comes_again_does(redis_url: str) -> None:
    async with belled(redis_url) as (_, bells):
        for _ in range(3):
            await heard(bells, "bells-two")  # listens, and leaves
        words: asyncio.Queue[str] = asyncio.Queue()
        bells.listen("bells-two", words.put_nowait)
        bells.leave("bells-two", words.put_nowait)
        await bells.ring("bells-two", "too late")
        await heard(bells, "bells-three")
        assert words.empty()


async def test_after_a_break_every_bell_is_rung_once_because_it_may_have_been_missed(redis_url: str) -> None:
    async with belled(redis_url) as (redis, bells):
        words: asyncio.Queue[str] = asyncio.Queue()
        bells.listen("bells-four", words.put_nowait)
        async with asyncio.timeout(10):
            assert await words.get() == ""
            await redis.client_kill_filter(_type="pubsub")
            assert await words.get() == ""
            await bells.ring("bells-four", "again")
            assert await words.get() == "again"


async def test_without_a_server_nothing_piles_up_of_who_comes_and_goes() -> None:
    bells = Bells(Redis(host="127.0.0.1", port=1), LoopTasks())
    for number in range(1000):
        bells.listen(f"bells-{number}", print)
        bells.leave(f"bells-{number}", print)
    assert bells.changes == 0


async def test_whoever_comes_and_goes_while_the_server_is_told_does_not_pile_up(redis_url: str) -> None:
    async with belled(redis_url) as (_, bells):
        await heard(bells, "bells-five")
        for _ in range(1000):
            bells.listen("bells-six", print)
            bells.leave("bells-six", print)
        assert bells.changes <= 2
