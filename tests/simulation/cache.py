"""Valkey in memory: the live cache as its writer and its readers know it."""

from collections.abc import Callable, Sequence

from redis.exceptions import RedisError
from tests.simulation.broker import Broker
from tests.simulation.processes import SimulatedProcess, elapse

from contracts.live_cache import cache_key
from contracts.queue_api import FinishedTable
from table.projector.live_cache import Entry, LiveCache

EVICTED = 0.8
"""Of what is read from a cold cache."""


class Valkey:
    """`away` says that nobody can reach it, `cold` that what is read has mostly been thrown out by then; `written`
    holds by key what its script compares, and the text."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.away = False
        self.cold = False
        self.generation: str | None = None
        self.written: dict[str, tuple[str, int, str]] = {}
        self.flushes = 0
        self.check: Callable[[Entry], object] | None = None

    def flush(self) -> None:
        self.generation = None
        self.flushes += 1
        self.written.clear()

    async def reach(self, process: SimulatedProcess) -> None:
        """Raises `RedisError` while it cannot be reached."""
        if process.alive:
            await elapse(self.broker.latency())
        if self.away or process.cut:
            raise RedisError("away")

    async def get(self, process: SimulatedProcess, key: str) -> str | None:
        await self.reach(process)
        held = self.written.get(key)
        await elapse(self.broker.latency())
        evicted = self.cold and self.broker.chance.random() < EVICTED
        return held[2] if held is not None and not evicted else None


class SimulatedLiveCache(LiveCache):
    """The projector's side; what the script in the real one does, done here. `check` sees every entry."""

    def __init__(self, valkey: Valkey, process: SimulatedProcess) -> None:
        self._valkey = valkey
        self._process = process

    async def generation(self) -> str:
        await self._valkey.reach(self._process)
        if self._valkey.generation is None and self._process.alive:
            self._valkey.generation = f"generation-{self._valkey.flushes}"
        generation = self._valkey.generation
        await elapse(self._valkey.broker.latency())
        return str(generation)

    async def write(self, entries: Sequence[Entry]) -> int:
        await self._valkey.reach(self._process)
        written = 0
        for entry in entries:
            key, offset = cache_key(entry.table_id), entry.projected.offset
            held = self._valkey.written.get(key)
            if self._process.alive and self._valkey.check is not None:
                self._valkey.check(entry)
            if self._process.alive and (held is None or held[0] != entry.log_id or held[1] < offset):
                self._valkey.written[key] = (entry.log_id, offset, entry.to_json())
                written += 1
        await elapse(self._valkey.broker.latency())
        return written

    async def write_finished(self, tables: Sequence[FinishedTable]) -> None:
        await self._valkey.reach(self._process)

    async def answers(self) -> bool:
        return not self._valkey.away

    async def close(self) -> None:
        await elapse(0)
