"""A place in a consumer group, apart from all reading."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener
from aiokafka import TopicPartition as KafkaPartition
from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError

from bus.access import KafkaAccess
from bus.kafka.client import METADATA_MS, RETRY_MS, Lifetime, ours
from bus.records import LogUnavailable, TopicPartition
from bus.tasks import end

log = logging.getLogger(__name__)

COMMIT_SECONDS = 3.0
BEATS = 20
"""Heartbeats in a session. Who stays hears by the answer to one that a member has died; until then nobody decides."""
IDLE_MS = 2000
"""How long a connection is kept over which nothing is asked. The question who coordinates the group comes when the
connection to it is dead, and must not wait for the end of another dead one. Heartbeats come more often."""


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka has no types
    def __init__(self, membership: "KafkaMembership") -> None:
        self._membership = membership

    async def on_partitions_revoked(self, revoked: Iterable[KafkaPartition]) -> None:
        """Nothing: what is still ours after the rebalance is kept, the rest goes when the new assignment comes."""

    async def on_partitions_assigned(self, assigned: Iterable[KafkaPartition]) -> None:
        self._membership.take(assigned)


def _assignor() -> type[StickyPartitionAssignor]:
    """A sticky assignor of one's own: aiokafka's remembers the last assignment in attributes of its class, and the
    groups of one process would take each other's partitions for theirs."""
    return type("OwnStickyPartitionAssignor", (StickyPartitionAssignor,), {})


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
            heartbeat_interval_ms=session_ms // BEATS,
            rebalance_timeout_ms=rebalance_ms,
            request_timeout_ms=rebalance_ms + 3000,
            retry_backoff_ms=RETRY_MS,
            metadata_max_age_ms=METADATA_MS,
            connections_max_idle_ms=IDLE_MS,
            partition_assignment_strategy=(_assignor(),),
        )
        self._lifetime = Lifetime(self._consumer, "a membership")
        self._generation = 0
        self._assignment: frozenset[TopicPartition] = frozenset()
        self._moved = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._consumer.subscribe(self._topics, listener=_Listener(self))
        await self._lifetime.start(patiently=True)
        self._polling = asyncio.get_running_loop().create_task(self._poll(), name="membership")

    async def _poll(self) -> None:
        while True:
            try:
                await self._consumer.getmany(timeout_ms=200)
            except KafkaError as error:
                log.warning("the group's poll failed: %s", type(error).__name__)
                await asyncio.sleep(RETRY_MS / 1000)

    def take(self, assigned: Iterable[KafkaPartition]) -> None:
        """A new assignment from the group. Nothing is read: a place to begin keeps the client from asking for one, over
        the connection by which it asks who coordinates the group."""
        partitions = list(assigned)
        for partition in partitions:
            self._consumer.seek(partition, 0)
        if partitions:
            self._consumer.pause(*partitions)
        self._assignment = frozenset(map(ours, partitions))
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
            await end([self._polling])
        await self._lifetime.stop()
