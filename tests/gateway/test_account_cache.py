"""What is asked of the account service, kept on a real Valkey."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from redis.asyncio import Redis

from gateway import account_cache
from gateway.account_cache import AccountCache, Kept
from gateway.account_service import AccountsAway


@dataclass
class Truth:
    """What would be answered, and who has been asked for. Answers wait while it is `slow`."""

    values: dict[str, str] = field(default_factory=dict)
    asked: list[list[str]] = field(default_factory=list)
    away: bool = False
    slow: asyncio.Event | None = None
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, accounts: Sequence[str]) -> Mapping[str, str]:
        self.asked.append(list(accounts))
        if self.away:
            raise AccountsAway
        found = {account: self.values[account] for account in accounts if account in self.values}
        self.reached.set()
        if self.slow is not None:
            await self.slow.wait()
        return found


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Any]:
    connection = Redis.from_url(redis_url)
    yield connection
    await connection.aclose()


@pytest.fixture
def kind() -> str:
    return f"test-{secrets.token_hex(4)}"


def cache(redis: Any, kind: str, truth: Truth | None) -> AccountCache[str]:
    return AccountCache(Kept(redis, kind), truth.ask if truth is not None else None, "", str, str)


async def test_what_is_not_kept_is_asked_for_at_once_and_then_known_to_all(redis: Any, kind: str) -> None:
    truth = Truth({"ann": "Ann"})
    here, there = cache(redis, kind, truth), cache(redis, kind, truth)
    assert await here.learn(["ann", "ben", "ann"]) == {"ann": "Ann", "ben": ""}
    assert await here.learn(["ben", "ann"]) == await there.learn(["ann", "ben"]) == {"ann": "Ann", "ben": ""}
    assert truth.asked == [["ann", "ben"]]
    assert 0 < await redis.ttl(f"{kind}:ann") <= account_cache.KEPT_SECONDS


async def test_a_change_is_seen_wherever_it_is_heard_of(redis: Any, kind: str) -> None:
    truth = Truth({"ann": "Ann"})
    here, there = cache(redis, kind, truth), cache(redis, kind, truth)
    for one in (here, there):
        await one.learn(["ann"])
    truth.values["ann"] = "Anne"
    assert await there.learn(["ann"]) == {"ann": "Ann"}
    assert await here.forget(["ann"])
    assert await here.learn(["ann"]) == {"ann": "Anne"}
    there.drop("ann")
    assert await there.learn(["ann"]) == {"ann": "Anne"}
    there.drop_all()
    assert there.known("ann") is None


async def test_an_answer_of_before_a_change_is_neither_known_nor_kept_after_it(redis: Any, kind: str) -> None:
    truth = Truth({"ann": "Ann"}, slow=asyncio.Event())
    here, there = cache(redis, kind, truth), cache(redis, kind, Truth())
    learning = asyncio.create_task(here.learn(["ann"]))
    async with asyncio.timeout(10):
        await truth.reached.wait()
    truth.values["ann"] = "Anne"
    await there.forget(["ann"])  # who asks has not heard of it yet
    assert truth.slow is not None
    truth.slow.set()
    assert await learning == {"ann": "Ann"}
    assert await redis.get(f"{kind}:ann") is None
    await here.forget(["ann"])
    assert await here.learn(["ann"]) == {"ann": "Anne"}


async def test_who_changes_while_looked_up_is_looked_up_again(redis: Any, kind: str) -> None:
    truth = Truth({"ann": "Ann"}, slow=asyncio.Event())
    here = cache(redis, kind, truth)
    learning = asyncio.create_task(here.learn(["ann"]))
    async with asyncio.timeout(10):
        await truth.reached.wait()
    truth.values["ann"] = "Anne"
    await here.forget(["ann"])
    assert truth.slow is not None
    truth.slow.set()
    assert await learning == {"ann": "Anne"}
    assert await redis.get(f"{kind}:ann") == b"Anne"


async def test_without_the_account_service_what_is_kept_is_known_and_the_rest_is_asked_for_later(
    redis: Any, kind: str
) -> None:
    truth = Truth({"ann": "Ann", "ben": "Ben"})
    await cache(redis, kind, truth).learn(["ann"])
    here, truth.away = cache(redis, kind, truth), True
    assert await here.learn(["ann", "ben"]) == {"ann": "Ann"}
    truth.away = False
    assert await here.learn(["ann", "ben"]) == {"ann": "Ann", "ben": "Ben"}


async def test_without_valkey_the_account_service_is_asked_and_what_changed_meanwhile_is_not_believed_after(
    redis: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = Truth({"ann": "Ann"})
    here = cache(redis, kind, truth)
    await here.learn(["ann"])
    away = Redis.from_url("redis://127.0.0.1:1/0")
    with monkeypatch.context() as lost:
        for part in ("_redis", "_fill"):
            lost.setattr(here._kept, part, away if part == "_redis" else away.register_script("return 1"))
        truth.values["ann"] = "Anne"
        assert not await here.forget(["ann"])
        assert await here.learn(["ann"]) == {"ann": "Anne"}
    assert await redis.get(f"{kind}:ann") == b"Ann"
    here.drop("ann")
    assert await here.learn(["ann"]) == {"ann": "Anne"}
    assert await here.forget([])
    assert await redis.get(f"{kind}:ann") is None
    await away.aclose()


async def test_where_nobody_can_be_asked_everybody_else_has_nothing(redis: Any, kind: str) -> None:
    await redis.set(f"{kind}:ann", "Ann")
    assert await cache(redis, kind, None).learn(["ann", "ben"]) == {"ann": "Ann", "ben": ""}


async def test_so_many_are_known_at_most(redis: Any, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_cache, "KNOWN_MAX", 2)
    truth = Truth({account: account.upper() for account in "abc"})
    here = cache(redis, kind, truth)
    assert await here.learn("abc") == {"a": "A", "b": "B", "c": "C"}
    assert [here.known(account) for account in "abc"] == [None, "B", "C"]
