"""What all clients of a broker have in common: times in ms, names of partitions, and an end that is bounded in time."""

import asyncio
import logging
from collections.abc import Awaitable

from aiokafka import TopicPartition as KafkaPartition
from aiokafka.errors import KafkaError

from bus.records import TopicPartition

log = logging.getLogger(__name__)

REQUEST_MS = 3000
RETRY_MS = 50
METADATA_MS = 30_000
STOP_SECONDS = 3.0


def ours(partition: KafkaPartition) -> TopicPartition:
    return TopicPartition(partition.topic, partition.partition)


async def bounded(stopping: Awaitable[None], what: str) -> None:
    """Stopping a client can hang while its broker is away; what is left then dies with the process."""
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await stopping
    except (TimeoutError, KafkaError):
        log.warning("%s did not stop within %.0f s", what, STOP_SECONDS)
