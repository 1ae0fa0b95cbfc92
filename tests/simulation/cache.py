"""Valkey in memory: the live cache as its writer and its readers know it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from redis.exceptions import RedisError
from tests.simulation.broker import Broker
from tests.simulation.processes import SimulatedProcess, elapse

from contracts.live_cache import cache_key
from contracts.message import AccountId
from contracts.queue_api import FinishedTable
from contracts.region import Preset
from gateway.presence import EXPIRY_MS, Presence, PresenceUnknown
from table.projector.live_cache import Entry, LiveCache

EVICTED = 0.8
"""Of what is read from a cold cache."""


class Valkey:
    """`away` says that nobody can reach it, `cold` that what is read has mostly been thrown out by then; `written`
    holds by key what its script compares, and the text; `connected` and `looking` are who is at which gateway, and who
    looks at which room, each with until when (ms); `paired` is the code of the room that the screen shows."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.away = False
        self.cold = False
        self.generation: str | None = None
        self.written: dict[str, tuple[str, int, str]] = {}
        self.connected: dict[AccountId, dict[str, int]] = {}
        self.looking: dict[Preset, dict[AccountId, int]] = {}
        self.paired: str | None = None
        self.flushes = 0
        self.check: Callable[[Entry], object] | None = None

    def flush(self) -> None:
        self.generation = None
        self.flushes += 1
        self.written.clear()
        self.connected.clear()
        self.looking.clear()

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


class SimulatedRedis:
    """As much of redis-py as the gateway's requests use: nobody has chosen a name, or tried a code that is wrong; one
    screen shows the newest private room."""

    def __init__(self, valkey: Valkey, process: SimulatedProcess) -> None:
        self._valkey = valkey
        self._process = process

    async def get(self, key: str) -> str | bytes | None:
        if not key.startswith("screen:"):
            return await self._valkey.get(self._process, key)
        await self._valkey.reach(self._process)
        return self._valkey.paired.encode() if self._valkey.paired is not None else None

    async def mget(self, keys: Sequence[str]) -> list[bytes | None]:
        await self._valkey.reach(self._process)
        return [None for _ in keys]

    async def zcount(self, *_: object) -> int:
        await self._valkey.reach(self._process)
        return 0

    def register_script(self, _: str) -> Any:
        async def found(**_: object) -> int:
            await self._valkey.reach(self._process)
            return 0

        return found

    async def aclose(self) -> None:
        await elapse(0.001)


class SimulatedPresence(Presence):
    """What the commands in the real one do, done here."""

    def __init__(self, valkey: Valkey, process: SimulatedProcess) -> None:
        self._valkey = valkey
        self._process = process

    async def _reach(self) -> None:
        try:
            await self._valkey.reach(self._process)
        except RedisError:
            raise PresenceUnknown from None

    async def in_room(self, preset: Preset, here: Iterable[AccountId], left: Collection[AccountId], now: int) -> int:
        await self._reach()
        looking = self._valkey.looking.get(preset, {}) | dict.fromkeys(here, now + EXPIRY_MS)
        found = {account: until for account, until in looking.items() if account not in left and until > now}
        self._valkey.looking[preset] = found
        return len(found)

    async def connected(self, accounts: Sequence[AccountId], now: int) -> None:
        await self._reach()
        for account in accounts:
            self._valkey.connected.setdefault(account, {})[self._process.name] = now + EXPIRY_MS

    async def disconnected(self, accounts: Sequence[AccountId]) -> None:
        await self._reach()
        for account in accounts:
            self._valkey.connected.get(account, {}).pop(self._process.name, None)

    async def elsewhere(self, accounts: Sequence[AccountId], now: int) -> set[AccountId]:
        await self._reach()
        return {
            account
            for account in accounts
            for name, until in self._valkey.connected.get(account, {}).items()
            if name != self._process.name and until > now
        }
