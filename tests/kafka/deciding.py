"""The toy decider's runtime on real brokers, for as long as a test needs it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.bus.tally import Command, Event, Tally, TallyDecider
from tests.kafka.ledger import SESSION_MS

from bus.kafka import KafkaLog
from bus.parts import Parts
from bus.runtime import DeciderRuntime

Runtime = DeciderRuntime[Tally, Command, Event]


@asynccontextmanager
async def started(log: KafkaLog, name: str, snapshot_seconds: float | None = None) -> AsyncIterator[Runtime]:
    """A runtime that nobody runs yet; it is stopped and its log closed in the end."""
    runtime = DeciderRuntime(TallyDecider(name), Parts(log), SESSION_MS, snapshot_seconds)
    await runtime.start()
    try:
        yield runtime
    finally:
        await runtime.stop()
        await log.close()


@asynccontextmanager
async def running(
    log: KafkaLog, name: str, snapshot_seconds: float | None = None
) -> AsyncIterator["asyncio.Task[None]"]:
    """One that runs; what ends it is in the task."""
    async with started(log, name, snapshot_seconds) as runtime:
        work = asyncio.create_task(runtime.run())
        try:
            yield work
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
