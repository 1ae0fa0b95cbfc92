"""Tables that are played while processes of one release take over from those of another."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bench.gameday.asking import Asking, asking_over
from bench.gameday.ledger import Ledger, read_ledger, settled
from bench.gameday.probes import Probes
from bench.gameday.services import SESSION_MS, Service, Services
from bench.gameday.tables import Tables

from bus.kafka import KafkaLog
from bus.local import Home
from bus.tasks import end


@dataclass
class Town:
    """All that a roll-out test asks and does."""

    log: KafkaLog
    services: Services
    asking: Asking
    probes: Probes
    tables: Tables
    home: Home

    @asynccontextmanager
    async def playing(self, tables: int) -> AsyncIterator[None]:
        """Plays until left; what is then under way is answered."""
        async with asyncio.TaskGroup() as tasks:
            work = [tasks.create_task(self.probes.run()), tasks.create_task(self.tables.run(tables))]
            yield
            await end(work)
        await settled(self.log, self.asking)

    async def replace(self, old: str, new: str) -> None:
        """A rolling update of one process: the old one ends in order, the new one takes its place."""
        assert await self.services.terminate(old) == 0
        await self.services.start(new)
        await self.probes.answered()

    async def ledger(self) -> Ledger:
        return await read_ledger(self.log, self.asking)

    def said(self, name: str, text: str) -> int:
        """How many lines of a process's log contain `text`."""
        return sum(text in line for line in self.home.log_file(name).read_text().splitlines())

    async def replace_all(self, old: str, new: str) -> None:
        """Another release, when nothing of the former runs any more; returns when the new one is ready."""
        assert await self.services.terminate(old) == 0
        await self.services.start(new)

    @property
    def codes(self) -> Counter[str]:
        return self.tables.codes


@asynccontextmanager
async def town(home: Home, bootstrap: str, services: Mapping[str, Service]) -> AsyncIterator[Town]:
    async with AsyncExitStack() as stack:
        processes = Services(home, services)
        stack.push_async_callback(processes.stop)
        log = KafkaLog(bootstrap, SESSION_MS)
        stack.push_async_callback(log.close)
        asking = await stack.enter_async_context(asking_over(log))
        yield Town(log, processes, asking, Probes(asking), Tables(asking), home)
