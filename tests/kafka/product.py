"""Table, projector, lobby and timer in this process on a real broker, and what a test needs to talk to them."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Self, TypeVar

from redis.asyncio import Redis
from tests.gateway.running import running

from bus.health import Progress
from bus.kafka import KafkaLog
from bus.outages import Outages
from bus.outcomes import Outcome
from bus.parts import Parts
from bus.records import Record, TopicPartition
from bus.sender import CommandSender
from bus.settings import BusSettings
from bus.tail import Tail
from bus.topics import ensure_topics
from contracts.envelope import CommandEnvelope, OutcomeBody
from contracts.topics import PARTITIONS_LOCAL
from domino_rules import table
from domino_rules.table import TableState
from lobby.app import build as build_lobby
from table.app import build as build_table
from table.projector.app import build as build_projector
from table.settings import ProjectorSettings
from timer.app import build as build_timer

T = TypeVar("T")

SESSION_MS = 2000
WAIT_SECONDS = 30


class Watch:
    """Every valid outcome of `topics` since the beginning, as they come; for tests that wait for one."""

    def __init__(self) -> None:
        self._bodies: dict[str, list[OutcomeBody]] = {}
        self._outages: dict[str, Outages] = {}
        self._moved = asyncio.Event()

    async def gained(self, _: TopicPartition) -> None: ...

    def outcome(self, outcome: Outcome) -> None:
        self._bodies.setdefault(outcome.aggregate, []).append(outcome.body())
        self._outages[outcome.aggregate] = outcome.outages

    async def flush(self, _partition: TopicPartition, _position: int) -> None:
        self._moved.set()

    async def caught_up(self, _: TopicPartition) -> None: ...

    async def lost(self, _: TopicPartition) -> None: ...

    def of(self, aggregate: str) -> list[OutcomeBody]:
        return self._bodies.get(aggregate, [])

    def outages(self, aggregate: str) -> Outages:
        """Those of the partition of an aggregate that has been heard of."""
        return self._outages[aggregate]

    def events(self, aggregate: str, tag: str) -> list[dict[str, Any]]:
        return [event for body in self.of(aggregate) for event in body.events if event["type"] == tag]

    async def until(self, found: Callable[[], T | None]) -> T:
        """Waits for the log to hold what is asked for."""
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                self._moved.clear()
                result = found()
                if result:
                    return result
                await self._moved.wait()


class Product:
    """The log, and people who talk to it without a gateway."""

    def __init__(self, bootstrap: str, log: KafkaLog, watch: Watch, cache_url: str) -> None:
        self.bootstrap = bootstrap
        self.log = log
        self.cache_url = cache_url
        self.watch = watch
        self.redis: Redis = Redis.from_url(cache_url, decode_responses=True)
        self._senders = {name: CommandSender(log, name) for name in ("lobby", "table")}

    async def __aenter__(self) -> Self:
        for sender in self._senders.values():
            await sender.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for sender in self._senders.values():
            await sender.stop()
        await self.redis.aclose()

    async def ask(
        self, decider: str, aggregate: str, principal: str, command: Any, command_id: str | None = None
    ) -> OutcomeBody:
        """Sends a command (a message) and waits for its outcome."""
        wanted = command_id or secrets.token_hex(8)
        payload = command.model_dump(mode="json")
        envelope = CommandEnvelope(id=wanted, principal=principal, aggregate=aggregate, command=payload, human=True)
        await self._senders[decider].send(envelope)
        return await self.watch.until(lambda: self.answer(aggregate, principal, wanted))

    def answer(self, aggregate: str, principal: str, command_id: str) -> OutcomeBody | None:
        found = (
            body for body in self.watch.of(aggregate) if (body.principal, body.command_id) == (principal, command_id)
        )
        return next(found, None)

    def state(self, table_id: str) -> TableState:
        """The table as the log has it."""
        state: TableState | None = None
        for body in self.watch.of(table_id):
            for payload in body.events:
                state = table.evolve(state, table.event_from_json(payload))
        assert state is not None
        return state

    async def until_cached(self, table_id: str) -> dict[str, Any]:
        """The cache's entry, once it is as new as the log; Valkey has no way to wait for that but to ask again."""
        version = sum(len(body.events) for body in self.watch.of(table_id))
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                entry = await self.cached(table_id)
                if entry is not None and entry["version"] == version:
                    return entry
                await asyncio.sleep(0.02)

    async def find(self, topic: str, wanted: Callable[[Record], bool]) -> Record:
        """The first record of `topic` that is wanted, waited for."""
        reader = self.log.reader("test-find")
        partitions = [TopicPartition(topic, number) for number in range(PARTITIONS_LOCAL)]
        await reader.start(partitions)
        for partition in partitions:
            reader.seek(partition, 0)
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while True:
                    for records in (await reader.poll(100)).values():
                        for record in filter(wanted, records):
                            return record
        finally:
            await reader.stop()

    @asynccontextmanager
    async def second_of_each(self) -> AsyncIterator[None]:
        """Another process of each kind, which takes its share of the partitions."""
        async with everything(self.bootstrap, self.cache_url):
            yield

    async def cached(self, table_id: str) -> dict[str, Any] | None:
        text = await self.redis.get(f"table:{table_id}")
        return None if text is None else json.loads(text)


@asynccontextmanager
async def everything(bootstrap: str, cache_url: str) -> AsyncIterator[None]:
    """One process of each kind behind the gateway."""
    settings = BusSettings(kafka_bootstrap=bootstrap, session_ms=SESSION_MS)
    projecting = ProjectorSettings(kafka_bootstrap=bootstrap, session_ms=SESSION_MS, redis_url=cache_url)
    async with AsyncExitStack() as stack:
        for process in (
            build_table(settings),
            build_lobby(settings),
            build_timer(settings),
            build_projector(projecting),
        ):
            await stack.enter_async_context(running(process))
        yield


@asynccontextmanager
async def watching(parts: Parts) -> AsyncIterator[Watch]:
    watch = Watch()
    tail = Tail(parts, watch, Progress(parts.clock))
    partitions = [TopicPartition(f"{name}.events", n) for name in ("lobby", "table") for n in range(PARTITIONS_LOCAL)]
    await tail.start(partitions, "test-watch")
    for partition in partitions:
        await tail.gain(partition)

    async def read() -> None:
        while True:
            await tail.step()

    reading = asyncio.create_task(read())
    try:
        yield watch
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await tail.stop()


@asynccontextmanager
async def product(bootstrap: str, cache_url: str) -> AsyncIterator[Product]:
    """Everything behind the gateway, watched."""
    await ensure_topics(bootstrap, PARTITIONS_LOCAL)
    log = KafkaLog(bootstrap, SESSION_MS)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(log.close)
        await stack.enter_async_context(everything(bootstrap, cache_url))
        watch = await stack.enter_async_context(watching(Parts(log)))
        yield await stack.enter_async_context(Product(bootstrap, log, watch, cache_url))
