"""The live cache: the newest state of every running table, written to Valkey by the table projector."""

import logging
from dataclasses import dataclass

from redis.asyncio import Redis

from bus.outages import Outages
from contracts.live_cache import CachedTable, cache_key
from domino_rules.table import TableState, from_json
from gateway.step import Step
from gateway.valkey import ValkeyAway, answering

log = logging.getLogger(__name__)
READ_SECONDS_MAX = 0.5


@dataclass(frozen=True, slots=True)
class Cached:
    """A table as the projector saw it in the log `log_id` (hex)."""

    log_id: str
    version: int
    at: int
    state: TableState

    def step(self, outages: Outages) -> Step:
        return Step(0, self.version, self.at, (), self.state, outages)


class LiveCache:
    """Reads one table at a time. Whatever is wrong with the cache, the answer is None: the log has it all."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def find(self, table_id: str) -> Cached | None:
        try:
            async with answering(READ_SECONDS_MAX, "the live cache does not answer"):
                text = await self._redis.get(cache_key(table_id))
        except ValkeyAway:
            return None
        return _read(text) if text is not None else None

    async def stop(self) -> None:
        await self._redis.aclose()


def _read(text: str | bytes) -> Cached | None:
    try:
        entry = CachedTable.model_validate_json(text)
        return Cached(entry.log_id, entry.version, entry.at, from_json(entry.state))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        log.warning("an entry of the live cache cannot be read", extra={"fields": {"error": type(error).__name__}})
        return None
