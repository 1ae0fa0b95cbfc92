"""Reading partitions without a group."""

from collections.abc import Iterable, Mapping, Sequence

from aiokafka import AIOKafkaConsumer
from aiokafka import TopicPartition as KafkaPartition
from aiokafka.errors import KafkaConnectionError, OffsetOutOfRangeError

from bus.access import KafkaAccess
from bus.kafka.client import METADATA_MS, REQUEST_MS, RETRY_MS, Lifetime, ours
from bus.records import LogTruncated, LogUnavailable, Record, TopicPartition

FETCH_WAIT_MS = 100
POLL_RECORDS_MAX = 2000
LOG_APPEND_TIME = 1


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
        self._lifetime = Lifetime(self._consumer, "a reader")

    async def start(self, partitions: Iterable[TopicPartition]) -> None:
        try:
            await self._lifetime.start(patiently=True)
        except KafkaConnectionError as error:
            raise LogUnavailable(f"a reader did not start: {type(error).__name__}") from error
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
            ours(partition): [
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
        await self._lifetime.stop()
