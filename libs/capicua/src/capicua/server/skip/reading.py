"""What a partition holds, as far as passing commands over must know it."""

import asyncio
from collections.abc import Callable

from bus.confirmed import Confirmed
from bus.held import held
from bus.records import Log, Record, TopicPartition
from bus.tail import POLL_MS
from capicua.server.skip.plan import TOLD, Plan

READER = "skip"
QUIET_SECONDS_MAX = 15.0
"""So long nothing may come of what the log holds."""


async def fold(log: Log, events: TopicPartition, on_progress: Callable[[int], None]) -> Confirmed:
    """The whole log, folded once up to where it ends now. `on_progress` is told how many offsets more have been read.
    Raises as `held`."""
    confirmed = Confirmed(events)
    async for record in held(log, events, READER):
        on_progress(record.offset + 1 - confirmed.position)
        confirmed.take(record)
    return confirmed


async def waiting(log: Log, plan: Plan) -> list[Record]:
    """The first commands of the plan that are still there, at most ten. Raises what the log raises, and
    `TimeoutError`."""
    count = min(plan.count - plan.expired, TOLD)
    if count == 0:
        return []
    found: list[Record] = []
    reader = log.reader(READER)
    try:
        async with asyncio.timeout(QUIET_SECONDS_MAX):
            await reader.start([plan.commands])
            reader.seek(plan.commands, plan.first + plan.expired)
            while len(found) < count:
                found += (await reader.poll(POLL_MS)).get(plan.commands, ())
    finally:
        await reader.stop()
    return found[:count]
