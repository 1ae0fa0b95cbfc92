"""The brokers as a log."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from aiokafka import AIOKafkaConsumer
from aiokafka import TopicPartition as KafkaPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaConnectionError, KafkaError, NodeNotReadyError, TopicAuthorizationFailedError

from bus.access import KafkaAccess
from bus.kafka.client import REQUEST_MS, RETRY_MS, Client, Lifetime, bounded
from bus.kafka.membership import KafkaMembership
from bus.kafka.reader import KafkaReader
from bus.kafka.writer import KafkaWriter
from bus.records import LogTruncated, LogUnavailable, TopicPartition

log = logging.getLogger(__name__)

BROKER_POLL_SECONDS = 1.0
TOPIC_SECONDS_MAX = 10.0
TOPIC_POLL_SECONDS = 0.1
ANSWER_SECONDS_MAX = 1.5


class _Admin(AIOKafkaAdminClient):  # type: ignore[misc]  # aiokafka has no types
    """Ends under the same name as the other clients."""

    stop = AIOKafkaAdminClient.close


class KafkaLog:
    """`bus.records.Log` for the brokers at `bootstrap`; `session_ms` is the group session of its memberships, `access`
    who it is to the brokers (nobody, unless given)."""

    def __init__(self, bootstrap: str, session_ms: int, access: KafkaAccess | None = None) -> None:
        self._bootstrap = bootstrap
        self._access = access or KafkaAccess()
        self._session_ms = session_ms
        self._asking: AIOKafkaConsumer | None = None
        self._asking_lock = asyncio.Lock()
        self._putting_away: set[asyncio.Task[None]] = set()

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
                    auto_offset_reset="none",
                    request_timeout_ms=REQUEST_MS,
                    retry_backoff_ms=RETRY_MS,
                )
                lifetime = Lifetime(asking, "the asking consumer")
                try:
                    await lifetime.start()
                except BaseException:  # cancelled or failed half-way: its connection must not stay open
                    await lifetime.stop()
                    raise
                self._asking = asking
            return self._asking

    async def wait_for_brokers(self) -> None:
        """Returns when a broker answers, however long it takes: the first part of a process to start."""
        waiting = False
        while True:
            try:
                await self._ask()
                return
            except KafkaConnectionError:
                if not waiting:
                    log.warning("no broker answers at %s; waiting for one", self._bootstrap)
                waiting = True
                await asyncio.sleep(BROKER_POLL_SECONDS)

    async def partition_count(self, topic: str) -> int:
        """Waits up to ten seconds for a broker, and as long for a topic that has just been created. Raises
        `KafkaConnectionError` when there is no broker, `LogTruncated` when there is no such topic, and
        `TopicAuthorizationFailedError` when it is none of this client's business."""
        access = self._access.client_settings()
        admin = _Admin(bootstrap_servers=self._bootstrap, request_timeout_ms=REQUEST_MS, **access)
        lifetime = Lifetime(admin, "an admin client")
        try:
            await lifetime.start(patiently=True)
            async with asyncio.timeout(TOPIC_SECONDS_MAX):
                while not (partitions := await _partitions(admin, topic)):  # noqa: ASYNC110 - nobody tells us
                    await asyncio.sleep(TOPIC_POLL_SECONDS)
        except TimeoutError:
            raise LogTruncated(f"expected topic {topic}, got no such topic, or no answer") from None
        finally:
            await lifetime.stop()
        return len(partitions)

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        where = KafkaPartition(*partition)
        try:
            asking = await self._ask()
        except KafkaError as error:
            raise LogUnavailable(f"the bounds of {partition}: {type(error).__name__}") from error
        try:
            first = await asking.beginning_offsets([where])
            end = await asking.end_offsets([where])
        except KafkaError as error:
            self._put_away(asking)
            raise LogUnavailable(f"the bounds of {partition}: {type(error).__name__}") from error
        return first[where], end[where]

    async def offsets(self, partitions: Sequence[TopicPartition], since: int | None) -> dict[TopicPartition, int]:
        """Where each partition's first record of the log time `since` (ms) or later stands, or its end where there is
        none; the ends of all where `since` is None. Raises `LogUnavailable`."""
        where = {partition: KafkaPartition(*partition) for partition in partitions}
        try:
            asking = await self._ask()
        except KafkaError as error:
            raise LogUnavailable(f"offsets: {type(error).__name__}") from error
        try:
            ends = await asking.end_offsets(list(where.values()))
            times = {} if since is None else dict.fromkeys(where.values(), since)
            found = await asking.offsets_for_times(times) if times else {}
        except KafkaError as error:
            self._put_away(asking)
            raise LogUnavailable(f"offsets: {type(error).__name__}") from error
        begins = {theirs: place.offset for theirs, place in found.items() if place is not None}
        return {ours: begins.get(theirs, ends[theirs]) for ours, theirs in where.items()}

    def _put_away(self, asking: Client) -> None:
        """The next question goes to whoever leads by then. After a time-out this client would ask the same broker over
        the same connection again, however long that one stays silent."""
        if self._asking is not asking:
            return
        self._asking = None
        task = asyncio.get_running_loop().create_task(bounded(asking.stop(), "the asking consumer"))
        self._putting_away.add(task)
        task.add_done_callback(self._putting_away.discard)

    async def answers(self) -> bool:
        """Whether a broker answers a metadata request within 1.5 s; for readiness. Raises `KafkaConnectionError` when
        there is none to ask."""
        asking = await self._ask()
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                return bool(await asking.topics())
        except (KafkaError, TimeoutError):
            self._put_away(asking)
            return False

    async def close(self) -> None:
        if self._asking is not None:
            self._put_away(self._asking)
        await asyncio.gather(*self._putting_away)


async def _partitions(admin: AIOKafkaAdminClient, topic: str) -> list[Any]:
    """Of the topic; empty while there is none, or while the broker that was asked is just not there."""
    try:
        described = (await admin.describe_topics([topic]))[0]
    except (KafkaConnectionError, NodeNotReadyError):
        return []
    if described["error_code"] == TopicAuthorizationFailedError.errno:
        raise TopicAuthorizationFailedError(described["topic"])
    partitions: list[Any] = described["partitions"]
    return partitions
