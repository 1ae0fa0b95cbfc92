"""Bells on a real server."""

import asyncio

from tests.gateway.belled import belled, heard


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
