"""The live cache under its projector: lost, gone, and whether it comes to hold again what the log says."""

import asyncio
import json
import signal
from collections.abc import Iterable
from dataclasses import dataclass

from redis.asyncio import Redis
from redis.exceptions import RedisError

from bench.gameday.watch import Watch
from bus.local import Home
from bus.local.embedded import EmbeddedServer
from bus.local.valkey import start_embedded_valkey
from contracts.live_cache import cache_key
from domino_rules.table import from_json

LOOK_SECONDS = 0.02
REBUILD_SECONDS_MAX = 30.0


@dataclass
class Cache:
    """A Valkey of the game day's own."""

    home: Home
    server: EmbeddedServer

    @classmethod
    async def start(cls, home: Home) -> "Cache":
        return cls(home, await start_embedded_valkey(home))

    @property
    def url(self) -> str:
        return self.server.address

    async def flush(self) -> None:
        async with Redis.from_url(self.url) as redis:
            await redis.flushdb()

    async def kill(self) -> None:
        self.server.process.send_signal(signal.SIGKILL)
        await self.server.process.exited()

    async def start_again(self) -> None:
        self.server = await start_embedded_valkey(self.home)

    async def whole(self, watch: Watch) -> None:
        """Waits until it holds every table that is live now, at least as new as it is now. Raises TimeoutError."""
        wanted = {table_id: watch.versions[table_id] for table_id in watch.states}
        async with Redis.from_url(self.url, decode_responses=True) as redis, asyncio.timeout(REBUILD_SECONDS_MAX):
            while wanted:
                for table_id, version in await _versions(redis, wanted):
                    if version >= wanted[table_id]:
                        del wanted[table_id]
                await asyncio.sleep(LOOK_SECONDS)

    async def wrong(self, watch: Watch) -> list[str]:
        """How it differs from the log; nothing may be under way."""
        await self.whole(watch)
        found = []
        async with Redis.from_url(self.url, decode_responses=True) as redis:
            for table_id, state in watch.states.items():
                entry = json.loads(str(await redis.get(cache_key(table_id))))
                if entry["version"] != watch.versions[table_id] or from_json(entry["state"]) != state:
                    found.append(f"the cache's {table_id} at version {entry['version']} is not the log's")
        return found

    async def stop(self) -> None:
        await self.server.stop()


async def _versions(redis: Redis, wanted: Iterable[str]) -> list[tuple[str, int]]:
    table_ids = list(wanted)
    try:
        entries = await redis.mget([cache_key(table_id) for table_id in table_ids])
    except (RedisError, OSError):
        return []
    return [
        (table_id, json.loads(entry)["version"])
        for table_id, entry in zip(table_ids, entries, strict=True)
        if entry is not None
    ]
