"""Who is where, as all gateways know it together. It lives in Valkey and is best effort: without Valkey each gateway
knows of its own people."""

from collections.abc import Awaitable, Collection, Iterable, Sequence
from typing import TypeVar

from redis.asyncio import Redis

from contracts.message import AccountId
from contracts.region import Preset
from gateway.valkey import answering

REFRESH_SECONDS = 5.0
EXPIRY_MS = 15_000
ANSWER_SECONDS_MAX = 0.5
Found = TypeVar("Found")


class PresenceUnknown(Exception):
    """Valkey does not answer."""


class Presence:
    """What the gateway called `name` says and asks. Times are in ms, by one clock for all gateways."""

    def __init__(self, redis: Redis, region: str, name: str) -> None:
        self._redis = redis
        self._region = region
        self._name = name

    async def in_room(self, preset: Preset, here: Iterable[AccountId], left: Collection[AccountId], now: int) -> int:
        """How many people look at this room. `here` are those whom this gateway has, `left` those whom it has no more;
        where another gateway still has one of them, it says so again. Raises `PresenceUnknown`."""
        key = f"presence:room:{self._region}:{preset}"
        until = dict.fromkeys(here, now + EXPIRY_MS)
        async with self._redis.pipeline(transaction=False) as pipeline:
            if left:
                pipeline.zrem(key, *left)
            if until:
                pipeline.zadd(key, until)
            pipeline.zremrangebyscore(key, "-inf", now)
            pipeline.pexpire(key, 2 * EXPIRY_MS)
            pipeline.zcard(key)
            return int((await _answer(pipeline.execute()))[-1])

    async def connected(self, accounts: Sequence[AccountId], now: int) -> None:
        """These people have a connection here. Raises `PresenceUnknown`."""
        async with self._redis.pipeline(transaction=False) as pipeline:
            for account in accounts:
                pipeline.hset(_account(account), self._name, str(now + EXPIRY_MS))
                pipeline.pexpire(_account(account), 2 * EXPIRY_MS)
            await _answer(pipeline.execute())

    async def disconnected(self, accounts: Sequence[AccountId]) -> None:
        """These people have no connection here any more. Raises `PresenceUnknown`."""
        async with self._redis.pipeline(transaction=False) as pipeline:
            for account in accounts:
                pipeline.hdel(_account(account), self._name)
            await _answer(pipeline.execute())

    async def elsewhere(self, accounts: Sequence[AccountId], now: int) -> set[AccountId]:
        """Those of `accounts` that have a connection at another gateway. Raises `PresenceUnknown`."""
        async with self._redis.pipeline(transaction=False) as pipeline:
            for account in accounts:
                pipeline.hgetall(_account(account))
            found = await _answer(pipeline.execute())
        return {account for account, entries in zip(accounts, found, strict=True) if self._lives(entries, now)}

    def _lives(self, entries: dict[bytes, bytes], now: int) -> bool:
        own = self._name.encode()
        return any(gateway != own and int(until) > now for gateway, until in entries.items())


def _account(account: AccountId) -> str:
    return f"presence:account:{account}"


async def _answer(asked: Awaitable[Found]) -> Found:
    async with answering(ANSWER_SECONDS_MAX, "presence is not known", PresenceUnknown):
        return await asked
