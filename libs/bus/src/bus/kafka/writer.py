"""Appending records: durable on all replicas in sync, or the result unknown."""

import asyncio

from aiokafka import AIOKafkaProducer

from bus.access import KafkaAccess
from bus.kafka.client import METADATA_MS, REQUEST_MS, RETRY_MS, Lifetime
from bus.records import NewRecord

BATCH_BYTES = 128 * 1024


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
        self._lifetime = Lifetime(self._producer, "a writer")

    async def start(self) -> None:
        await self._lifetime.start()

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
        await self._lifetime.stop()
