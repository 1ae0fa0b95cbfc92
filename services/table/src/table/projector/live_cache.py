"""The live cache in Valkey: the newest durable state of every table that is being played."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from contracts.live_cache import FINISHED_KEPT, CachedTable, cache_key, finished_key
from contracts.queue_api import FinishedTable
from domino_rules import table
from table.projector.tables import Projected

GENERATION_KEY = "capicua:cache"
OVER_SECONDS = 3600
FINISHED_SECONDS = 400 * 24 * 3600
REDIS_SECONDS = 2.0

_WRITE_IF_NEWER = """
local log, offset = string.match(redis.call('GETRANGE', KEYS[1], 0, 127), '^{"log_id":"(%x*)","offset":(%d+),')
if log == ARGV[1] and tonumber(offset) >= tonumber(ARGV[2]) then return 0 end
if ARGV[4] == '0' then redis.call('SET', KEYS[1], ARGV[3])
else redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[4]) end
return 1
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A table's state and where in which log it comes from; `log_id` in hex."""

    table_id: str
    log_id: str
    partition: int
    projected: Projected

    def to_json(self) -> str:
        projected = self.projected
        return CachedTable(
            log_id=self.log_id,
            offset=projected.offset,
            partition=self.partition,
            version=projected.version,
            at=projected.at,
            state=table.to_json(projected.state),
        ).model_dump_json()


class LiveCache:
    """An entry is only ever replaced by a newer one of the same log, or by one of another log. The
    entry of a table that is over goes after an hour."""

    def __init__(self, redis_url: str) -> None:
        self._redis: Redis = Redis.from_url(
            redis_url,
            socket_timeout=REDIS_SECONDS,
            socket_connect_timeout=REDIS_SECONDS,
            retry=Retry(NoBackoff(), 0),
            decode_responses=True,
        )
        self._write = self._redis.register_script(_WRITE_IF_NEWER)

    async def generation(self) -> str:
        """A random text that lives as long as the cache's content. Raises `RedisError` or `OSError`."""
        generation = await self._redis.get(GENERATION_KEY)
        if generation is None:
            await self._redis.set(GENERATION_KEY, secrets.token_hex(8), nx=True)
            generation = await self._redis.get(GENERATION_KEY)
        return str(generation)

    async def write(self, entries: Sequence[Entry]) -> int:
        """Writes what is newer than what is there, in one round trip; how many were. Raises as `generation`."""
        async with self._redis.pipeline(transaction=False) as pipeline:
            for entry in entries:
                expiry = OVER_SECONDS if entry.projected.over else 0
                arguments: list[str | int] = [entry.log_id, entry.projected.offset, entry.to_json(), expiry]
                await self._write(keys=[cache_key(entry.table_id)], args=arguments, client=pipeline)
            return sum(await pipeline.execute())

    async def write_finished(self, tables: Sequence[FinishedTable]) -> None:
        """Adds each table to the last ones of everybody who sat there, once however often it is written. Raises as
        `generation`."""
        async with self._redis.pipeline(transaction=False) as pipeline:
            for table in tables:
                text = table.model_dump_json()
                for seat in table.seats:
                    key = finished_key(seat.account)
                    pipeline.zadd(key, {text: table.at})
                    pipeline.zremrangebyrank(key, 0, -FINISHED_KEPT - 1)
                    pipeline.expire(key, FINISHED_SECONDS)
            await pipeline.execute()

    async def answers(self) -> bool:
        return bool(await self._redis.ping())

    async def close(self) -> None:
        await self._redis.aclose()
