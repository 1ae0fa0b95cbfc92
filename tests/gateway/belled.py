"""Bells that are heard, on a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio import Redis

from bus.tasks import LoopTasks, end
from gateway.bells import Bells


@asynccontextmanager
async def belled(redis_url: str) -> AsyncIterator[tuple[Any, Bells]]:
    """A connection of one gateway, and its bells."""
    redis = Redis.from_url(redis_url)
    bells = Bells(redis, LoopTasks())
    hearing = asyncio.create_task(bells.run())
    try:
        yield redis, bells
    finally:
        await end([hearing])
        await redis.aclose()


async def heard(bells: Bells, bell: str) -> None:
    """Returns when `bell` is heard there."""
    once = asyncio.Event()

    def hear(_: str) -> None:
        once.set()

    bells.listen(bell, hear)
    async with asyncio.timeout(10):
        while not once.is_set():
            await bells.ring(bell, "?")
            await asyncio.sleep(0.01)
    bells.leave(bell, hear)
