"""Wrong codes are counted on a real server."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from tests.memory_log import HandClock

from gateway.codes_guard import (
    COUNTED_MS,
    LOCKED_MS,
    WRONG_MAX_ACCOUNT,
    WRONG_MAX_ADDRESS,
    CodesGuard,
    GuardUnavailable,
    Locked,
)


class Guarded:
    """A guard with a clock of its own, and people at addresses that no other test has."""

    def __init__(self, redis: Redis, test: str) -> None:
        self.clock = HandClock()
        self.guard = CodesGuard(redis, self.clock)
        self._test = test

    async def say(self, address: str, account: str | None = None, *, wrong: bool = True) -> bool:
        """Whether something is told of the code."""
        who = f"{self._test}-{account}" if account is not None else None
        try:
            await self.guard.judge(f"{self._test}-{address}", who, wrong=wrong)
        except Locked:
            return False
        return True


@pytest.fixture
async def guarded(redis_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Guarded]:
    redis = Redis.from_url(redis_url)
    yield Guarded(redis, request.node.name)
    await redis.aclose()


async def test_ten_wrong_codes_lock_an_address_for_a_quarter_of_an_hour(guarded: Guarded) -> None:
    assert [await guarded.say("home") for _ in range(WRONG_MAX_ADDRESS)] == [True] * WRONG_MAX_ADDRESS
    assert not await guarded.say("home")
    assert not await guarded.say("home", wrong=False)
    assert await guarded.say("elsewhere")
    guarded.clock.now += LOCKED_MS - 1
    assert not await guarded.say("home", wrong=False)
    guarded.clock.now += 1
    assert await guarded.say("home", wrong=False)
    assert await guarded.say("home")


async def test_thirty_wrong_codes_lock_an_account_wherever_it_goes(guarded: Guarded) -> None:
    for number in range(WRONG_MAX_ACCOUNT):
        assert await guarded.say(f"cafe-{number % 5}", "ann")
    assert not await guarded.say("yet another", "ann", wrong=False)
    assert await guarded.say("yet another", "ben")


async def test_right_codes_are_never_counted(guarded: Guarded) -> None:
    assert all([await guarded.say("hall", "ann", wrong=False) for _ in range(100)])


async def test_wrong_codes_count_for_ten_minutes_each_from_its_own_moment(guarded: Guarded) -> None:
    for _ in range(WRONG_MAX_ADDRESS * 3):
        guarded.clock.now += COUNTED_MS // (WRONG_MAX_ADDRESS - 1) + 1
        assert await guarded.say("slow")
    for _ in range(WRONG_MAX_ADDRESS - 1):
        await guarded.say("quick")
    guarded.clock.now += COUNTED_MS - 1
    assert await guarded.say("quick")
    assert not await guarded.say("quick")


async def test_many_guesses_at_once_learn_no_more_than_one_after_the_other(guarded: Guarded) -> None:
    told = await asyncio.gather(*(guarded.say("flood", "ann") for _ in range(50)))
    assert told.count(True) == WRONG_MAX_ADDRESS


async def test_a_screen_counts_by_its_address_alone(guarded: Guarded) -> None:
    for _ in range(WRONG_MAX_ADDRESS):
        assert await guarded.say("screens")
    assert not await guarded.say("screens")


async def test_what_is_counted_does_not_stay(guarded: Guarded, redis_url: str) -> None:
    for _ in range(WRONG_MAX_ADDRESS + 1):
        await guarded.say("home", "ann")
    redis = Redis.from_url(redis_url)
    test = "test_what_is_counted_does_not_stay"
    keys = [key async for key in redis.scan_iter(f"codes:*{test}*")]
    assert len(keys) == 2
    assert all([0 < await redis.pttl(key) <= LOCKED_MS for key in keys])
    await redis.aclose()


async def test_without_a_server_nothing_is_told_of_codes() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    with pytest.raises(GuardUnavailable):
        await CodesGuard(redis, HandClock()).judge("home", "ann", wrong=False)
    await redis.aclose()
