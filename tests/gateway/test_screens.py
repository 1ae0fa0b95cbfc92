"""Screens on a real server."""

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from tests.gateway.belled import belled
from tests.memory_log import HandClock

from bus.clock import SystemClock
from bus.tasks import LoopTasks
from gateway.bells import Bells
from gateway.identity import SCREEN_SECONDS
from gateway.room_codes import draw_code
from gateway.screens import PAIRING_SECONDS, SCREENS_MAX, Screens, ScreensUnavailable, TooManyScreens


@pytest.fixture
async def screens(redis_url: str) -> AsyncIterator[Screens]:
    async with belled(redis_url) as (redis, bells):
        yield Screens(redis, bells, SystemClock())


def new_screen() -> str:
    return f"s{secrets.token_hex(8)}"


async def test_a_screen_that_waits_is_paired_by_its_code_once_and_is_told(screens: Screens) -> None:
    screen, room = new_screen(), draw_code()
    told: asyncio.Queue[str] = asyncio.Queue()
    screens.listen(screen, told.put_nowait)
    async with asyncio.timeout(10):
        await told.get()
    pairing = await screens.wait_for_pairing(screen)
    assert await screens.waiting(pairing) == screen
    assert (await screens.room_of(screen), await screens.count(room)) == (None, 0)
    await screens.pair(screen, room, pairing)
    async with asyncio.timeout(10):
        await told.get()
    assert (await screens.room_of(screen), await screens.count(room)) == (room, 1)
    assert await screens.waiting(pairing) is None


async def test_a_room_has_eight_screens_at_most(screens: Screens) -> None:
    room, known = draw_code(), [new_screen() for _ in range(SCREENS_MAX)]
    for screen in known:
        await screens.pair(screen, room)
    with pytest.raises(TooManyScreens):
        await screens.pair(new_screen(), room)
    await screens.pair(known[0], room)
    assert await screens.count(room) == SCREENS_MAX


async def test_a_screen_is_forgotten_with_its_token(redis_url: str) -> None:
    clock, room = HandClock(SystemClock().wall()), draw_code()
    async with belled(redis_url) as (redis, bells):
        screens = Screens(redis, bells, clock)
        for _ in range(SCREENS_MAX):
            await screens.pair(new_screen(), room)
        clock.now += SCREEN_SECONDS * 1000 + 1
        assert await screens.count(room) == 0
        await screens.pair(new_screen(), room)
        assert await screens.count(room) == 1
        assert 0 < await redis.ttl(f"screens-of:{room}") <= SCREEN_SECONDS


async def test_a_code_waits_for_a_day(redis_url: str) -> None:
    async with belled(redis_url) as (redis, bells):
        pairing = await Screens(redis, bells, SystemClock()).wait_for_pairing(new_screen())
        assert PAIRING_SECONDS - 60 < await redis.ttl(f"pairing:{pairing}") <= PAIRING_SECONDS


async def test_without_a_server_nothing_is_known_of_screens_and_a_room_counts_none() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    screens = Screens(redis, Bells(redis, LoopTasks()), SystemClock())
    assert await screens.count("ABC234") == 0
    for asked in (screens.room_of("s1"), screens.wait_for_pairing("s1"), screens.pair("s1", "ABC234")):
        with pytest.raises(ScreensUnavailable):
            await asked
    await redis.aclose()
