"""The gateway's own reading of `account.events`: all partitions, without a group, from eleven minutes ago on."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import Protocol

from bus.clock import Clock
from bus.health import Progress
from bus.records import LogReader, LogUnavailable, Record, TopicPartition
from bus.tail import POLL_MS
from bus.tasks import Tasks
from gateway.ended import KEPT_MS

ACCOUNT_EVENTS = "account.events"
LOOK_SECONDS = 2.0
HEARD_SECONDS_MAX = 10.0
DEAF_SECONDS_MAX = 9 * 60.0
"""Whoever has heard nothing for longer may have missed the end of a session: a newer state does not tell it again."""
SLICE = 200


class TimedLog(Protocol):
    """`bus.kafka.KafkaLog`."""

    def reader(self, name: str) -> LogReader: ...

    async def partition_count(self, topic: str) -> int: ...

    async def offsets(
        self, partitions: Sequence[TopicPartition], since: int | None
    ) -> Mapping[TopicPartition, int]: ...


class AccountHandler(Protocol):
    """`gateway.account_feed.AccountFeed`."""

    def record(self, record: Record) -> None:
        """Quick and synchronous."""
        ...

    async def flush(self) -> None:
        """Time for what takes I/O."""
        ...

    def missed(self) -> None:
        """For longer than a token is good nothing could be heard."""
        ...


class AccountReading:
    """Catches up first; `caught_up` is set once and for all when all is read that the log held at the start. From then
    on it asks every two seconds how far the log has come: who reads nothing may have nothing to read, or be deaf."""

    def __init__(self, log: TimedLog, handler: AccountHandler, clock: Clock, tasks: Tasks, progress: Progress) -> None:
        self._log = log
        self._handler = handler
        self._clock = clock
        self._tasks = tasks
        self._progress = progress
        self._reader: LogReader | None = None
        self._positions: dict[TopicPartition, int] = {}
        self._ends: Mapping[TopicPartition, int] = {}
        self._asked_at = self._heard_at = -math.inf
        self.caught_up = asyncio.Event()

    async def start(self) -> None:
        """Fixes where reading begins."""
        count = await self._log.partition_count(ACCOUNT_EVENTS)
        partitions = [TopicPartition(ACCOUNT_EVENTS, number) for number in range(count)]
        self._positions = dict(await self._log.offsets(partitions, self._clock.wall() - KEPT_MS))
        await self._ask()
        self._reader = self._log.reader("gateway-accounts")
        await self._reader.start(partitions)
        for partition, position in self._positions.items():
            self._reader.seek(partition, position)

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self.step()

    async def watch(self) -> None:
        """Until cancelled."""
        while True:
            await self._tasks.sleep(LOOK_SECONDS)
            await self.look()

    async def hears(self) -> bool:
        """For readiness: whether the end of a session is known here as soon as it is told."""
        return self.caught_up.is_set() and self._clock.monotonic() - self._heard_at < HEARD_SECONDS_MAX

    async def step(self) -> None:
        """One poll: waits up to 100 ms for records and hands them on. Raises what the log raises."""
        assert self._reader is not None
        batches = await self._reader.poll(POLL_MS)
        self._progress.tick()
        for partition, records in batches.items():
            for start in range(0, len(records), SLICE):
                for record in records[start : start + SLICE]:
                    self._handler.record(record)
                await self._tasks.sleep(0)
            self._positions[partition] = records[-1].offset + 1
        await self._handler.flush()
        self._note_heard()

    async def look(self) -> None:
        """Asks how far the log has come, if what was asked before has been read."""
        if self._is_read():
            try:
                await self._ask()
            except LogUnavailable:
                return
            self._note_heard()

    async def stop(self) -> None:
        if self._reader is not None:
            await self._reader.stop()

    async def _ask(self) -> None:
        asked_at = self._clock.monotonic()
        self._ends = await self._log.offsets(list(self._positions), None)
        self._asked_at = asked_at

    def _is_read(self) -> bool:
        return all(self._positions[partition] >= end for partition, end in self._ends.items())

    def _note_heard(self) -> None:
        if self._asked_at == self._heard_at or not self._is_read():
            return
        if self.caught_up.is_set() and self._asked_at - self._heard_at > DEAF_SECONDS_MAX:
            self._handler.missed()
        self._heard_at = self._asked_at
        self.caught_up.set()
