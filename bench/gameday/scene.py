"""All that a fault can lay its hands on."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from bench.gameday.cache import Cache
from bench.gameday.disk import SmallDisk
from bench.gameday.probes import Probes
from bench.gameday.proxy import Proxy
from bench.gameday.services import SESSION_MS, Services
from bench.gameday.steering import Steering
from bus.kafka import KafkaLog
from bus.local.cluster import Cluster

TABLES = ("table-a", "table-b")
BEHIND_PROXIES = "table-a"
SESSION_SECONDS = SESSION_MS / 1000


@dataclass
class Scene:
    """`counts` is how often what was done; `notes` what a person should know, a fault that was left out for example;
    `healed` how many seconds things took of which no answer depends."""

    cluster: Cluster
    steering: Steering
    proxies: Mapping[int, Proxy]
    services: Services
    probes: Probes
    cache: Cache
    log: KafkaLog
    randomness: Random
    disk: SmallDisk | None
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    healed: dict[str, list[float]] = field(default_factory=dict)

    def mark(self, what: str) -> float:
        """What is done now; returns when it was."""
        self.counts[what] += 1
        return self.probes.mark(what)

    async def answered(self) -> None:
        """Every partition has answered something that was asked after now."""
        await self.probes.answered()

    async def lasting(self, seconds: float, since: float | None = None) -> None:
        """A stretch of time that belongs to a fault."""
        began = time.monotonic() if since is None else since
        await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))

    async def settle(self) -> None:
        """All brokers in sync, all processes ready, all partitions answering: the next fault is a single one."""
        await self.steering.whole()
        await self.services.ready()
        await self.answered()
        self.probes.mark("calm")

    async def cache_whole(self, what: str, since: float) -> None:
        """The cache holds what the log holds; that took from `since` until now."""
        await self.cache.whole(self.probes.asking.watch)
        self.healed.setdefault(what, []).append(time.monotonic() - since)

    def some_table(self) -> str:
        return self.randomness.choice(TABLES)

    async def some_broker(self) -> int:
        """One that is not the active controller."""
        controller = await self.steering.controller()
        return self.randomness.choice([number for number in self.cluster.nodes if number != controller])
