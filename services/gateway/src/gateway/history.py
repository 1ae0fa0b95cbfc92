"""The past of tables, read from their partition's first record on.

One pass over a partition serves everybody who waits for it: who comes while a pass is running joins the next one.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bus.clock import Clock
from bus.outcomes import MalformedBody, Outcome, PartitionFold
from bus.records import Log, Record, TopicPartition
from bus.tail import POLL_MS
from bus.tasks import Tasks
from contracts.envelope import OutcomeBody

PASSES_MAX = 2
SLICE_SECONDS = 0.004

Logged = tuple[Outcome, OutcomeBody]
"""An outcome with the outages that had ended before it, and its body."""


class PastUnavailable(Exception):
    """The log could not be read to its end just now. Carries the kind of trouble."""


@dataclass(slots=True)
class _Pass:
    """Tables wanted of one reading, and who waits for it."""

    tables: set[str] = field(default_factory=set)
    done: "asyncio.Future[dict[str, list[Logged]]]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class History:
    """Reads event partitions anew, at most two at a time, without holding up the loop for longer than 4 ms."""

    def __init__(self, log: Log, clock: Clock, tasks: Tasks) -> None:
        self._log = log
        self._clock = clock
        self._tasks = tasks
        self._next: dict[TopicPartition, _Pass] = {}
        self._reading: dict[TopicPartition, asyncio.Task[None]] = {}
        self._passes = asyncio.Semaphore(PASSES_MAX)

    async def of(self, partition: TopicPartition, table_id: str) -> list[Logged]:
        """The table's valid outcomes with events, in order, up to now or its end. Empty for a table that never was.

        Raises `PastUnavailable` and `bus.outcomes.MalformedBody`.
        """
        joined = self._next.setdefault(partition, _Pass())
        joined.tables.add(table_id)
        if partition not in self._reading:
            self._reading[partition] = self._tasks.spawn(self._work(partition), f"history-{partition.partition}")
        return (await asyncio.shield(joined.done)).get(table_id, [])

    async def _work(self, partition: TopicPartition) -> None:
        """Pass after pass until nobody waits any more."""
        while partition in self._next:
            async with self._passes:
                current = self._next.pop(partition)
                try:
                    found = await self._read(partition, current.tables)
                except MalformedBody as error:
                    _fail(current, error)
                except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to those who wait
                    _fail(current, PastUnavailable(type(error).__name__))
                else:
                    current.done.set_result(found)
        del self._reading[partition]

    async def _read(self, partition: TopicPartition, tables: set[str]) -> dict[str, list[Logged]]:
        _, end = await self._log.bounds(partition)
        found: dict[str, list[Logged]] = {}
        fold = PartitionFold(partition)
        reader = self._log.reader("gateway-history")
        await reader.start([partition])
        try:
            reader.seek(partition, 0)
            while fold.position < end:
                batches = await reader.poll(POLL_MS)
                await self._take(fold, batches.get(partition, ()), tables, found)
        finally:
            await reader.stop()
        return found

    async def _take(
        self, fold: PartitionFold, records: Sequence[Record], tables: set[str], found: dict[str, list[Logged]]
    ) -> None:
        until = self._clock.monotonic() + SLICE_SECONDS
        for record in records:
            outcome = fold.take(record)
            if outcome is not None and outcome.aggregate in tables and outcome.changes and not outcome.header.retires:
                as_known_then = replace(outcome, outages=replace(outcome.outages))
                found.setdefault(outcome.aggregate, []).append((as_known_then, outcome.body()))
            if self._clock.monotonic() > until:
                await self._tasks.sleep(0)
                until = self._clock.monotonic() + SLICE_SECONDS

    async def stop(self) -> None:
        for task in self._reading.values():
            task.cancel()
        await asyncio.gather(*self._reading.values(), return_exceptions=True)


def _fail(reading: _Pass, error: Exception) -> None:
    reading.done.set_exception(error)
    reading.done.exception()  # they may all have gone, and asyncio complains about errors that nobody saw
