"""Whose talk somebody does not want to hear. In Valkey, as long as that person comes."""

from collections import OrderedDict
from typing import Any

from redis.asyncio import Redis

from gateway.bells import Bells
from gateway.valkey import answering

MUTES_MAX = 200
KEPT_SECONDS = 60 * 24 * 60 * 60
KNOWN_MAX = 20_000
ANSWER_SECONDS_MAX = 0.5
BELL = "mutes"

# KEYS: the asker's set. ARGV: whom, how many at most, seconds to keep. 0 when there would be too many.
_MUTE = """
local known = redis.call('SISMEMBER', KEYS[1], ARGV[1])
if known == 0 and redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
"""


class MutesUnavailable(Exception):
    """Mutes cannot be kept or read just now."""


class TooManyMutes(Exception):
    """Somebody else has to be heard again first."""


class Mutes:
    """Known here for those who heard talk last; forgotten when a bell says that they have changed."""

    def __init__(self, redis: Redis, bells: Bells) -> None:
        self._redis: Any = redis
        self._bells = bells
        self._mute: Any = redis.register_script(_MUTE)
        self._known: OrderedDict[str, frozenset[str]] = OrderedDict()
        bells.listen(BELL, self._heard)

    async def of(self, account: str) -> frozenset[str]:
        """Whom `account` has muted. Raises `MutesUnavailable`."""
        known = self._known.get(account)
        if known is None:
            async with answering(ANSWER_SECONDS_MAX, "mutes cannot be read", MutesUnavailable):
                members = await self._redis.smembers(_key(account))
            known = self._known[account] = frozenset(member.decode() for member in members)
        self._known.move_to_end(account)
        if len(self._known) > KNOWN_MAX:
            self._known.popitem(last=False)
        return known

    async def mute(self, account: str, other: str) -> frozenset[str]:
        """Raises `TooManyMutes` or `MutesUnavailable`."""
        return await self._change(account, self._mute(keys=[_key(account)], args=[other, MUTES_MAX, KEPT_SECONDS]))

    async def hear_again(self, account: str, other: str) -> frozenset[str]:
        """Raises `MutesUnavailable`."""
        return await self._change(account, self._hear_again(account, other))

    async def _hear_again(self, account: str, other: str) -> int:
        await self._redis.srem(_key(account), other)
        return 1

    async def _change(self, account: str, change: Any) -> frozenset[str]:
        async with answering(ANSWER_SECONDS_MAX, "mutes cannot be kept", MutesUnavailable):
            changed = await change
            await self._bells.ring(BELL, account)
        if not changed:
            raise TooManyMutes
        self._known.pop(account, None)
        return await self.of(account)

    def _heard(self, account: str) -> None:
        if account:
            self._known.pop(account, None)
        else:  # bells may have been missed
            self._known.clear()


def _key(account: str) -> str:
    return f"mutes:{account}"
