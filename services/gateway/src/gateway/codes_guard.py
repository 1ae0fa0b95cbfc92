"""Who tries codes is stopped: ten wrong ones from an address, thirty of an account, in ten minutes."""

from typing import Any

from redis.asyncio import Redis

from bus.clock import Clock
from gateway.valkey import answering

WRONG_MAX_ADDRESS = 10
WRONG_MAX_ACCOUNT = 30
COUNTED_MS = 10 * 60 * 1000
LOCKED_MS = 15 * 60 * 1000
ANSWER_SECONDS_MAX = 2.0

# KEYS come in pairs: until when somebody is locked, and when that one was wrong. ARGV: now, whether the code is wrong,
# how long wrong ones count, how long the lock lasts, then how many wrong ones each may have. Gives a lock's ms.
_JUDGE = """
local now = tonumber(ARGV[1])
for i = 1, #KEYS, 2 do
  local till = tonumber(redis.call('GET', KEYS[i]) or '0')
  if till > now then return till - now end
end
if ARGV[2] == '0' then return 0 end
for i = 2, #KEYS, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - tonumber(ARGV[3]))
  local count = redis.call('ZCARD', KEYS[i]) + 1
  if count >= tonumber(ARGV[4 + i / 2]) then
    redis.call('SET', KEYS[i - 1], string.format('%d', now + tonumber(ARGV[4])), 'PX', ARGV[4])
    redis.call('DEL', KEYS[i])
  else
    redis.call('ZADD', KEYS[i], now, string.format('%d %d', now, count))
    redis.call('PEXPIRE', KEYS[i], ARGV[3])
  end
end
return 0
"""


class Locked(Exception):
    """Too many wrong codes: for `ms` more, nothing is said about any code."""

    def __init__(self, ms: int) -> None:
        super().__init__("too many wrong codes")
        self.ms = ms


class GuardUnavailable(Exception):
    """Wrong codes cannot be counted just now, so nothing is said about codes."""


class CodesGuard:
    """Counts in Valkey, over all gateways. Asked once per code, in one step with the knowledge whether it is wrong:
    many guesses at once learn no more than one after the other."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._clock = clock
        self._judge: Any = redis.register_script(_JUDGE)

    async def judge(self, address: str, account: str | None, *, wrong: bool) -> None:
        """Before the asker is told anything of a code. Raises `Locked` or `GuardUnavailable`."""
        asked = [("address", address, WRONG_MAX_ADDRESS)] if address else []
        if account is not None:
            asked.append(("account", account, WRONG_MAX_ACCOUNT))
        keys = [f"codes:{what}:{kind}:{who}" for kind, who, _ in asked for what in ("locked", "wrong")]
        limits = [limit for *_, limit in asked]
        arguments = [self._clock.wall(), int(wrong), COUNTED_MS, LOCKED_MS, *limits]
        async with answering(ANSWER_SECONDS_MAX, "wrong codes cannot be counted", GuardUnavailable):
            locked_ms = int(await self._judge(keys=keys, args=arguments))
        if locked_ms:
            raise Locked(locked_ms)
