"""The adapter to Apache Kafka: the ports of `bus.records` on aiokafka 0.14, with every unsafe default set by hand."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRebalanceListener
from aiokafka import TopicPartition as KafkaPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError, OffsetOutOfRangeError

from bus.access import KafkaAccess
from bus.records import LogTruncated, LogUnavailable, NewRecord, Record, TopicPartition

log = logging.getLogger(__name__)

REQUEST_MS = 3000
RETRY_MS = 50
METADATA_MS = 30_000
FETCH_WAIT_MS = 100
BATCH_BYTES = 128 * 1024
POLL_RECORDS_MAX = 2000
STOP_SECONDS = 1.0
COMMIT_SECONDS = 3.0
LOG_APPEND_TIME = 1


def _ours(partition: KafkaPartition) -> TopicPartition:
    return TopicPartition(partition.topic, partition.partition)


class KafkaReader:
    """`bus.records.LogReader`: assigned once, paused where nobody reads."""

    def __init__(self, bootstrap: str, name: str, access: KafkaAccess) -> None:
        self._consumer = AIOKafkaConsumer(
            bootstrap_servers=bootstrap,
            **access.client_settings(),
            client_id=name,
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="none",
            fetch_max_wait_ms=FETCH_WAIT_MS,
            request_timeout_ms=REQUEST_MS,
            retry_backoff_ms=RETRY_MS,
            metadata_max_age_ms=METADATA_MS,
        )

    async def start(self, partitions: Iterable[TopicPartition]) -> None:
        await self._consumer.start()
        assigned = [KafkaPartition(*partition) for partition in partitions]
        self._consumer.assign(assigned)
        self._consumer.pause(*assigned)
        for partition in assigned:  # any position will do while paused; without one the client would look for its own
            self._consumer.seek(partition, 0)

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self._consumer.seek(KafkaPartition(*partition), offset)
        self._consumer.resume(KafkaPartition(*partition))

    def pause(self, partition: TopicPartition) -> None:
        self._consumer.pause(KafkaPartition(*partition))

    def resume(self, partition: TopicPartition) -> None:
        self._consumer.resume(KafkaPartition(*partition))

    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        try:
            batches = await self._consumer.getmany(timeout_ms=timeout_ms, max_records=POLL_RECORDS_MAX)
        except OffsetOutOfRangeError as error:
            raise LogTruncated(f"expected offsets that the topic holds, got {error.args[0]}") from None
        return {
            _ours(partition): [
                Record(
                    message.topic,
                    message.partition,
                    message.offset,
                    message.timestamp,
                    message.key,
                    message.value,
                    message.headers,
                    message.timestamp_type == LOG_APPEND_TIME,
                )
                for message in messages
            ]
            for partition, messages in batches.items()
        }

    async def stop(self) -> None:
        await _bounded(self._consumer.stop(), "a reader")


class KafkaWriter:
    """`bus.records.LogWriter`: one idempotent producer, `acks=all`, no lingering."""

    def __init__(self, bootstrap: str, name: str, access: KafkaAccess) -> None:
        self._producer = AIOKafkaProducer(
            bootstrap_servers=bootstrap,
            **access.client_settings(),
            client_id=name,
            acks="all",
            enable_idempotence=True,
            linger_ms=0,
            max_batch_size=BATCH_BYTES,
            request_timeout_ms=REQUEST_MS,
            retry_backoff_ms=RETRY_MS,
            metadata_max_age_ms=METADATA_MS,
        )

    async def start(self) -> None:
        await self._producer.start()

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        future: asyncio.Future[object] = await self._producer.send(
            record.topic,
            value=record.value,
            key=record.key,
            partition=record.partition,
            headers=list(record.headers),
        )
        return future

    async def stop(self) -> None:
        await _bounded(self._producer.stop(), "a writer")


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka has no types
    def __init__(self, membership: "KafkaMembership") -> None:
        self._membership = membership

    async def on_partitions_revoked(self, revoked: Iterable[KafkaPartition]) -> None:
        """Nothing: what is still ours after the rebalance is kept, the rest goes when the new assignment comes."""

    async def on_partitions_assigned(self, assigned: Iterable[KafkaPartition]) -> None:
        self._membership.take(assigned)


class KafkaMembership:
    """`bus.records.Membership`: a subscribed, paused and polled consumer that reads nothing."""

    def __init__(self, bootstrap: str, group: str, topics: Sequence[str], session_ms: int, access: KafkaAccess) -> None:
        rebalance_ms = max(session_ms, 3000)
        self._topics = list(topics)
        self._consumer = AIOKafkaConsumer(
            bootstrap_servers=bootstrap,
            **access.client_settings(),
            client_id=f"{group}-member",
            group_id=group,
            enable_auto_commit=False,
            auto_offset_reset="latest",
            session_timeout_ms=session_ms,
            heartbeat_interval_ms=min(500, session_ms // 6),
            rebalance_timeout_ms=rebalance_ms,
            request_timeout_ms=rebalance_ms + 3000,
            retry_backoff_ms=RETRY_MS,
            metadata_max_age_ms=METADATA_MS,
            partition_assignment_strategy=(StickyPartitionAssignor,),
        )
        self._generation = 0
        self._assignment: frozenset[TopicPartition] = frozenset()
        self._moved = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._consumer.subscribe(self._topics, listener=_Listener(self))
        await self._consumer.start()
        self._polling = asyncio.get_running_loop().create_task(self._poll(), name="membership")

    async def _poll(self) -> None:
        while True:
            try:
                await self._consumer.getmany(timeout_ms=200)
            except KafkaError as error:
                log.warning("the group's poll failed: %s", type(error).__name__)
                await asyncio.sleep(RETRY_MS / 1000)

    def take(self, assigned: Iterable[KafkaPartition]) -> None:
        """A new assignment from the group."""
        partitions = list(assigned)
        if partitions:
            self._consumer.pause(*partitions)
        self._assignment = frozenset(map(_ours, partitions))
        self._generation += 1
        self._moved.set()
        self._moved = asyncio.Event()

    @property
    def generation(self) -> int:
        return self._generation

    @property
    def assignment(self) -> frozenset[TopicPartition]:
        return self._assignment

    async def changed(self, since: int) -> int:
        while self._generation <= since:
            await self._moved.wait()
        return self._generation

    async def commit(self, offsets: Mapping[TopicPartition, int]) -> bool:
        wanted = {KafkaPartition(*partition): offset for partition, offset in offsets.items()}
        try:
            async with asyncio.timeout(COMMIT_SECONDS):
                await self._consumer.commit(wanted)
        except (CommitFailedError, IllegalStateError, KafkaError, TimeoutError):
            return False
        return True

    async def committed(self, partition: TopicPartition) -> int | None:
        try:
            async with asyncio.timeout(COMMIT_SECONDS):
                offset: int | None = await self._consumer.committed(KafkaPartition(*partition))
        except (IllegalStateError, KafkaError, TimeoutError) as error:
            raise LogUnavailable(f"what is committed of {partition}: {type(error).__name__}") from error
        return offset

    async def stop(self) -> None:
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.gather(self._polling, return_exceptions=True)
        await _bounded(self._consumer.stop(), "a membership")


class KafkaLog:
    """`bus.records.Log` for the brokers at `bootstrap`; `session_ms` is the group session of its memberships, `access`
    who it is to the brokers (nobody, unless given)."""

    def __init__(self, bootstrap: str, session_ms: int, access: KafkaAccess | None = None) -> None:
        self._bootstrap = bootstrap
        self._access = access or KafkaAccess()
        self._session_ms = session_ms
        self._asking: AIOKafkaConsumer | None = None
        self._asking_lock = asyncio.Lock()

    def reader(self, name: str) -> KafkaReader:
        return KafkaReader(self._bootstrap, name, self._access)

    def writer(self, name: str) -> KafkaWriter:
        return KafkaWriter(self._bootstrap, name, self._access)

    def membership(self, group: str, topics: Sequence[str]) -> KafkaMembership:
        return KafkaMembership(self._bootstrap, group, topics, self._session_ms, self._access)

    async def _ask(self) -> AIOKafkaConsumer:
        """A consumer without partitions: its questions never wait behind a long poll."""
        async with self._asking_lock:
            if self._asking is None:
                asking = AIOKafkaConsumer(
                    bootstrap_servers=self._bootstrap,
                    **self._access.client_settings(),
                    client_id="asking",
                    enable_auto_commit=False,
                    request_timeout_ms=REQUEST_MS,
                    retry_backoff_ms=RETRY_MS,
                )
                await asking.start()
                self._asking = asking
            return self._asking

    async def partition_count(self, topic: str) -> int:
        access = self._access.client_settings()
        admin = AIOKafkaAdminClient(bootstrap_servers=self._bootstrap, request_timeout_ms=REQUEST_MS, **access)
        await admin.start()
        try:
            described = await admin.describe_topics([topic])
        finally:
            await admin.close()
        partitions = described[0]["partitions"]
        if not partitions:
            raise LogTruncated(f"expected topic {topic}, got no such topic")
        return len(partitions)

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        where = KafkaPartition(*partition)
        try:
            asking = await self._ask()
            first = await asking.beginning_offsets([where])
            end = await asking.end_offsets([where])
        except KafkaError as error:
            raise LogUnavailable(f"the bounds of {partition}: {type(error).__name__}") from error
        return first[where], end[where]

    async def answers(self) -> bool:
        """Whether a broker answers a metadata request; for readiness."""
        return bool(await (await self._ask()).topics())

    async def close(self) -> None:
        if self._asking is not None:
            await _bounded(self._asking.stop(), "the asking consumer")


async def _bounded(stopping: "asyncio.Future[None] | object", what: str) -> None:
    """Stopping a client can hang while its broker is away; what is left then dies with the process."""
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await stopping  # type: ignore[misc]  # aiokafka has no types
    except (TimeoutError, KafkaError):
        log.warning("%s did not stop within %.0f s", what, STOP_SECONDS)
