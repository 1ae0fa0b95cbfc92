"""What people are called, on a real server."""

import asyncio

import pytest
from redis.asyncio import Redis
from tests.gateway.belled import belled, heard

from bus.tasks import LoopTasks
from gateway.bells import Bells
from gateway.names import NAME_CHARACTERS_MAX, Names, NamesUnavailable, clean, fallback_name

# ---- pure


def test_everybody_has_a_name_that_tells_nothing_of_the_account() -> None:
    accounts = [f"g{'abcdefghij'[number]}{'x' * 20}" for number in range(10)]
    names = [fallback_name(account) for account in accounts]
    assert names == [fallback_name(account) for account in accounts]
    assert len(set(names)) == 10
    assert all(name.startswith("Guest ") and len(name) == 10 for name in names)
    assert fallback_name("house-eu-7") == "House 7"
    assert all(len(fallback_name(account)) <= NAME_CHARACTERS_MAX for account in ("house-" + "9" * 58, "g" * 64))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ada\u00a0Lovelace\u3000!", "Ada Lovelace !"),
        ("A\u200bd\u200da\u202e", "Ada"),
        ("Ada\x00\x07\x1b[31m", "Ada[31m"),
        ("Ada\nLovelace", "Ada Lovelace"),
        ("\u3164\u2800\u115f", ""),
        ("\u200b", ""),
        ("\ue000\ud800", ""),
        ("Z\u0301\u0301\u0301\u0301\u0301", "\u0179\u0301\u0301"),
        ("Łódź", "Łódź"),
        ("o\u0301", "ó"),
        ("क्षि", "क्षि"),
        ("🁫", "🁫"),
    ],
)
def test_a_name_is_what_it_looks_like(text: str, seen: str) -> None:
    assert clean(text) == seen


# ---- on a server


async def test_a_chosen_name_is_seen_at_every_gateway_and_its_change_is_told(redis_url: str) -> None:
    async with belled(redis_url) as (redis, bells), belled(redis_url) as (other_redis, other_bells):
        here, there = Names(redis, bells), Names(other_redis, other_bells)
        changed: asyncio.Queue[str] = asyncio.Queue()
        there.on_change(changed.put_nowait)
        await heard(other_bells, "names")
        await there.learn(["names-ann", "names-ben"])
        assert there.name_of("names-ann") == fallback_name("names-ann")
        await here.choose("names-ann", "Ann")
        async with asyncio.timeout(10):
            while await changed.get() != "names-ann":
                pass  # anybody's may have changed before the bell was heard
        await there.learn(["names-ann", "names-ben"])
        assert (there.name_of("names-ann"), there.name_of("names-ben")) == ("Ann", fallback_name("names-ben"))
        assert 0 < await redis.ttl("name:names-ann") <= 60 * 24 * 60 * 60


async def test_without_a_server_people_go_by_the_names_made_for_them() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    names = Names(redis, Bells(redis, LoopTasks()))
    await names.learn(["ann"])
    assert names.name_of("ann") == fallback_name("ann")
    with pytest.raises(NamesUnavailable):
        await names.choose("ann", "Ann")
    await redis.aclose()
