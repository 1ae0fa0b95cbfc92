"""The subscriber of `account.commands`: some commands, one transaction, and only then the acknowledgement.

FastStream swallows what a handler raises and goes on behind it, and so does it with what its own parser cannot read.
The bytes are read here, therefore, and nothing is raised to it: what cannot be carried out after some tries is put into
`account.dead`, in a transaction too; without the database a batch is tried until it is there again; and if a batch can
neither be carried out nor buried, the process ends. Acknowledged is by offsets: FastStream's own acknowledgement
commits whatever was read of any partition.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import psycopg
from aiokafka import ConsumerRecord
from aiokafka import TopicPartition as KafkaPartition
from aiokafka.errors import IllegalStateError, KafkaError
from faststream import AckPolicy
from faststream.kafka import KafkaBroker
from faststream.kafka.message import KafkaAckableMessage
from faststream.security import BaseSecurity, SASLScram512
from opentelemetry import trace
from opentelemetry.trace import SpanKind

from account.handlers import Asked, Handlers, ReservedId, read
from bus import telemetry
from bus.access import KafkaAccess
from bus.health import Progress
from bus.kafka.client import METADATA_MS, REQUEST_MS, RETRY_MS
from bus.parts import Parts
from bus.postgres import Database, DatabaseAway, Outbox
from bus.sender import Letter
from bus.settings import BusSettings
from contracts.envelope import DeadLetter

log = logging.getLogger(__name__)

LEDGER = "account"
DEAD = f"{LEDGER}.dead"
BATCH_MAX = 200
IDLE_MS = 10
"""How long FastStream waits for the first record of a batch, and then again for nothing: so late may one be."""
TRIES_MAX = 3
AGAIN_SECONDS = (0.2, 5.0)
"""Between tries: at first, and at most."""
STOP_SECONDS_MAX = 5.0
WATCH_SECONDS = 1.0
REBALANCE_MS_MIN = 3000
BEATS = 20
"""Heartbeats in a session."""


class SubscriberEnded(Exception):
    """Nobody reads commands any more."""


class Ledger:
    """Takes part in the group `account`; the clients' settings are those of `settings`."""

    def __init__(
        self,
        settings: BusSettings,
        database: Database,
        outbox: Outbox,
        handlers: Handlers,
        parts: Parts,
    ) -> None:
        self._database = database
        self._outbox = outbox
        self._handlers = handlers
        self._tasks = parts.tasks
        rebalance_ms = max(settings.session_ms, REBALANCE_MS_MIN)
        self._broker = KafkaBroker(
            settings.kafka_bootstrap,
            client_id=LEDGER,
            request_timeout_ms=rebalance_ms + REQUEST_MS,
            retry_backoff_ms=RETRY_MS,
            metadata_max_age_ms=METADATA_MS,
            security=_security(KafkaAccess.of(settings)),
            consumer_only=True,
            allow_auto_create_topics=False,
            graceful_timeout=STOP_SECONDS_MAX,
            apply_types=False,
            logger=None,
        )
        self._subscriber = self._broker.subscriber(
            f"{LEDGER}.commands",
            group_id=LEDGER,
            batch=True,
            max_records=BATCH_MAX,
            batch_timeout_ms=IDLE_MS,
            ack_policy=AckPolicy.MANUAL,
            auto_offset_reset="earliest",
            session_timeout_ms=settings.session_ms,
            heartbeat_interval_ms=settings.session_ms // BEATS,
            rebalance_timeout_ms=rebalance_ms,
            parser=self._unread,
            decoder=_as_it_is,
        )
        self._subscriber(self._take)
        self._working = False
        self._stopping = asyncio.Event()
        self._failed: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        self.progress = Progress(parts.clock, seconds_max=30.0)

    async def start(self) -> None:
        await self._broker.start()

    async def run(self) -> None:
        """Until cancelled. Raises `SubscriberEnded`, and what has kept a batch from being carried out or buried."""
        while True:
            if self._failed.done():
                raise self._failed.result()
            if not self.reading:
                raise SubscriberEnded
            if not self._working:
                self.progress.tick()
            await self._tasks.sleep(WATCH_SECONDS)

    @property
    def reading(self) -> bool:
        tasks: Sequence[asyncio.Task[Any]] = self._subscriber.tasks
        return any(not task.done() for task in tasks)

    async def stop(self) -> None:
        """What is just being carried out has five seconds."""
        self._stopping.set()
        await self._broker.stop()

    async def _unread(self, records: tuple[ConsumerRecord, ...]) -> KafkaAckableMessage:
        """FastStream's own parser raises over headers that are no text."""
        consumer = self._subscriber.consumer
        assert consumer is not None
        return KafkaAckableMessage(body=b"", raw_message=records, consumer=consumer)

    async def _take(self, message: KafkaAckableMessage) -> None:
        """A batch. Behind one that has failed nothing is carried out or acknowledged any more."""
        self._working = True
        if not self._failed.done():
            try:
                await self._carry_out(tuple(message.raw_message))
            except Exception as error:  # noqa: BLE001 - `run` raises it
                self._failed.set_result(error)
        if self._failed.done():
            await self._stopping.wait()
            return
        await self._acknowledge(message)
        self._working = False

    async def _carry_out(self, records: Sequence[ConsumerRecord]) -> None:
        """At once, and one by one if something of it cannot be carried out."""
        asked = [asked for record in records if (asked := read(record)) is not None]
        if len(asked) < len(records) or await self._try(asked) is not None:
            for record in records:
                await self._carry_out_one(record)

    async def _carry_out_one(self, record: ConsumerRecord) -> None:
        asked = read(record)
        if asked is None:
            await self._bury(record, "undecodable", f"expected a command of {record.topic}, got something else")
            return
        failure = await self._try([asked])
        for _ in range(TRIES_MAX - 1):
            if failure is None:
                return
            await self._tasks.sleep(AGAIN_SECONDS[0])
            failure = await self._try([asked])
        if failure is not None:
            await self._bury(record, "not-carried-out", f"expected to be carried out, got {failure}", asked)

    async def _try(self, asked: Sequence[Asked]) -> str | None:
        """What kept it from being carried out, by name; while the database is away it is tried again."""

        async def work() -> int:
            async with self._database.transaction() as connection:
                return await self._handlers.create_guests(connection, asked)

        span = telemetry.span("create-guest", asked[0].trace, SpanKind.CONSUMER, commands=len(asked))
        with trace.use_span(span, end_on_exit=True, record_exception=False):
            try:
                made = await self._while_away(work)
            except (psycopg.Error, ReservedId) as error:
                log.warning("%d commands that cannot be carried out so: %s", len(asked), type(error).__name__)
                return type(error).__name__
            except Exception as error:  # a mistake of ours: whoever else comes is not kept waiting for it
                log.exception("commands could not be carried out")
                return type(error).__name__
        telemetry.ledger_commands.add(made, {"ledger": LEDGER, "answer": "carried-out"})
        telemetry.ledger_commands.add(len(asked) - made, {"ledger": LEDGER, "answer": "repeated"})
        return None

    async def _bury(self, record: ConsumerRecord, code: str, why: str, asked: Asked | None = None) -> None:
        """The dead letter has nothing of the content but the command's id and sender."""
        dead = DeadLetter(
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            code=code,
            message=why,
            command_id=asked.envelope.id if asked else "",
            principal=asked.envelope.principal if asked else "",
        )
        key = (record.key or b"").decode(errors="replace").replace("\0", "\ufffd")  # PostgreSQL has no text with it
        letter = Letter(DEAD, key, dead.model_dump_json().encode())

        async def work() -> int:
            async with self._database.transaction() as connection:
                await self._outbox.put(connection, [letter])
            return 1

        await self._while_away(work)
        telemetry.dead_letters.add(1, {"topic": letter.topic})
        telemetry.ledger_commands.add(1, {"ledger": LEDGER, "answer": code})
        log.error("a command was given up", extra={"fields": {"code": code, "offset": record.offset}})

    async def _while_away(self, work: Callable[[], Awaitable[int]]) -> int:
        """What `work` says, tried again for as long as the database is away."""
        pause, longest = AGAIN_SECONDS
        while True:
            self.progress.tick()
            try:
                return await work()
            except DatabaseAway as error:
                log.warning("the database is away: %s", error)
                await self._tasks.sleep(pause)
                pause = min(2 * pause, longest)

    async def _acknowledge(self, message: KafkaAckableMessage) -> None:
        """What is not acknowledged comes again, and has no second effect."""
        offsets = {KafkaPartition(record.topic, record.partition): record.offset + 1 for record in message.raw_message}
        try:
            await message.consumer.commit(offsets)  # type: ignore[call-arg]  # aiokafka's own takes them
        except (KafkaError, IllegalStateError) as error:
            log.warning("carried out and not acknowledged: %s", type(error).__name__)


async def _as_it_is(message: KafkaAckableMessage) -> KafkaAckableMessage:
    return message


def _security(access: KafkaAccess) -> BaseSecurity | None:
    """The same as `KafkaAccess.client_settings`, as FastStream wants it."""
    given = access.client_settings()
    context = given.get("ssl_context")
    if access.username is None:
        return BaseSecurity(context) if context is not None else None
    return SASLScram512(access.username, access.password or "", context)
