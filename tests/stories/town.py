"""A town in which time passes when a story says so."""

import itertools
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from tests.gateway.running import running
from tests.kafka.product import Product, Watch, watching
from tests.stories.passing import Time

from bus.kafka import KafkaLog
from bus.partitioning import partition_of
from bus.settings import BusSettings
from bus.topics import ensure_topics
from contracts.envelope import CommandEnvelope, OutcomeBody
from contracts.message import Message
from contracts.region import LeaveQueue
from contracts.table import LeaveTable
from contracts.topics import PARTITIONS_LOCAL
from lobby.app import build as build_lobby
from table.app import build as build_table
from timer.app import build as build_timer

SESSION_MS = 10_000
"""Nobody dies here: what stands still on a busy machine comes back to the partitions that it had."""


class Town(Product):
    """`tests.kafka.product.Product` with a time of its own. The table's process can be taken away for a while."""

    def __init__(self, bootstrap: str, log: KafkaLog, watch: Watch, cache_url: str, time: Time) -> None:
        super().__init__(bootstrap, log, watch, cache_url)
        self.time = time
        self._table = AsyncExitStack()

    async def start_table(self) -> None:
        settings = BusSettings(kafka_bootstrap=self.bootstrap, session_ms=SESSION_MS)
        with self.time.rules():
            process = build_table(settings)
        await self._table.enter_async_context(running(process))

    async def stop_table(self) -> None:
        await self._table.aclose()

    def stand_still(self, ms: int) -> None:
        """Time in which nobody owns the tables passes on the brokers' own clocks too: an outage."""
        self.time.now += ms
        self.time.apart_ms += ms

    async def tell(self, envelope: CommandEnvelope, at: int | None = None) -> OutcomeBody:
        """Sends a command to a table, to be logged at the log time `at`; its outcome."""
        partition = partition_of(envelope.aggregate, PARTITIONS_LOCAL)
        before = len(self._answers(envelope))
        with self.time.first_in("table", partition, self.time.now if at is None else at):
            await self.send(envelope)
            return await self.watch.until(lambda: next(iter(self._answers(envelope)[before:]), None))

    async def send(self, envelope: CommandEnvelope) -> None:
        """Returns when the command is in the log."""
        await self._senders["table"].send(envelope)

    def _answers(self, envelope: CommandEnvelope) -> list[OutcomeBody]:
        asked = (envelope.principal, envelope.id)
        return [body for body in self.watch.of(envelope.aggregate) if (body.principal, body.command_id) == asked]

    async def let_pass(self, table_id: str, at: int) -> None:
        """It becomes `at`, and whoever owns the table's partition is heard at that time."""
        await self.tell(envelope(_neighbour(table_id), "ann", LeaveTable()), at)

    async def let_pass_in_lobby(self, aggregate: str, at: int) -> None:
        """The same for the partition of a region or a private room. Whatever else fell due by `at` is late: the timer
        takes partitions that it has not heard of since for ones without an owner, and looks again half a second later.
        """
        with self.time.first_in("lobby", partition_of(aggregate, PARTITIONS_LOCAL), at):
            await self.ask("lobby", _neighbour(aggregate), "ann", LeaveQueue())


def envelope(table_id: str, principal: str, command: Message, **fields: Any) -> CommandEnvelope:
    """A person's command, unless `human` says otherwise."""
    known = {"id": secrets.token_hex(8), "human": True, **fields}
    return CommandEnvelope(principal=principal, aggregate=table_id, command=command.model_dump(mode="json"), **known)


def _neighbour(aggregate: str) -> str:
    """Another name in the same partition, of nobody."""
    names = (f"nobody-{number}" for number in itertools.count())
    partition = partition_of(aggregate, PARTITIONS_LOCAL)
    return next(name for name in names if partition_of(name, PARTITIONS_LOCAL) == partition)


@asynccontextmanager
async def timed_town(bootstrap: str, cache_url: str, time: Time) -> AsyncIterator[Town]:
    """Table, lobby and timer, watched; all of them on `time`."""
    await ensure_topics(bootstrap, PARTITIONS_LOCAL)
    settings = BusSettings(kafka_bootstrap=bootstrap, session_ms=SESSION_MS)
    log, parts = time.parts(settings)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(log.close)
        with time.rules():
            processes = (build_lobby(settings), build_timer(settings))
        for process in processes:
            await stack.enter_async_context(running(process))
        watch = await stack.enter_async_context(watching(parts))
        there = await stack.enter_async_context(Town(bootstrap, log, watch, cache_url, time))
        stack.push_async_callback(there.stop_table)
        await there.start_table()
        yield there
