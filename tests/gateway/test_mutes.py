"""Mutes on a real server."""

import pytest
from redis.asyncio import Redis
from tests.gateway.belled import belled, heard

from bus.tasks import LoopTasks
from gateway.bells import Bells
from gateway.mutes import MUTES_MAX, Mutes, MutesUnavailable, TooManyMutes


async def test_a_mute_holds_at_every_gateway_until_it_is_taken_back(redis_url: str) -> None:
    async with belled(redis_url) as (redis, bells), belled(redis_url) as (other_redis, other_bells):
        here, there = Mutes(redis, bells), Mutes(other_redis, other_bells)
        await heard(other_bells, "mutes")
        assert await there.of("mutes-ann") == frozenset()
        assert await here.mute("mutes-ann", "ben") == await here.of("mutes-ann") == {"ben"}
        await heard(other_bells, "mutes")
        assert await there.of("mutes-ann") == {"ben"}
        assert await here.hear_again("mutes-ann", "ben") == frozenset()
        await heard(other_bells, "mutes")
        assert await there.of("mutes-ann") == frozenset()
        assert await there.of("mutes-ben") == frozenset()


async def test_somebody_mutes_two_hundred_people_at_most(redis_url: str) -> None:
    async with belled(redis_url) as (redis, bells):
        mutes = Mutes(redis, bells)
        await redis.sadd("mutes:mutes-cid", *(f"g{number}" for number in range(MUTES_MAX)))
        with pytest.raises(TooManyMutes):
            await mutes.mute("mutes-cid", "one more")
        assert len(await mutes.mute("mutes-cid", "g7")) == MUTES_MAX
        assert 0 < await redis.ttl("mutes:mutes-cid") <= 60 * 24 * 60 * 60


async def test_without_a_server_it_is_not_known_whom_somebody_wants_to_hear() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    with pytest.raises(MutesUnavailable):
        await Mutes(redis, Bells(redis, LoopTasks())).of("ann")
    await redis.aclose()
