"""What all clients of a broker have in common: times in ms, names of partitions, and an end that is bounded in time."""

import asyncio
import logging
import time
from collections.abc import Awaitable
from typing import Protocol

from aiokafka import AIOKafkaConsumer
from aiokafka import TopicPartition as KafkaPartition
from aiokafka.errors import KafkaConnectionError, KafkaError

from bus.records import TopicPartition

log = logging.getLogger(__name__)

REQUEST_MS = 3000
RETRY_MS = 50
METADATA_MS = 30_000
STOP_SECONDS = 3.0
START_SECONDS_MAX = 10.0
START_AGAIN_SECONDS = 0.2


def ours(partition: KafkaPartition) -> TopicPartition:
    return TopicPartition(partition.topic, partition.partition)


class Client(Protocol):
    """A producer, consumer or admin client of aiokafka."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


class Lifetime:
    """Starts and stops a client. A start is never cancelled half-way, only left: aiokafka would forget the connection
    that it is just opening. One that was left is not tried again.

    A consumer of aiokafka (0.14) that is stopped just after a fetch has failed awaits what it has itself cancelled, and
    ends as if whoever stops it had been cancelled, with its connections still open (its issue 647).
    """

    def __init__(self, client: Client, what: str) -> None:
        self._client = client
        self._what = what
        self._starting: asyncio.Future[None] | None = None
        self._left = False

    async def start(self, *, patiently: bool = False) -> None:
        """Raises `KafkaConnectionError` when no broker answers, `patiently` only after ten seconds."""
        self._starting = asyncio.ensure_future(self._start_patiently() if patiently else self._client.start())
        await asyncio.shield(self._starting)

    async def _start_patiently(self) -> None:
        until = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                return await self._client.start()
            except KafkaConnectionError:
                if self._left or time.monotonic() > until:
                    raise
            await asyncio.sleep(START_AGAIN_SECONDS)

    async def stop(self) -> None:
        self._left = True
        await bounded(self._stop(), self._what)

    async def _stop(self) -> None:
        if self._starting is not None:
            await asyncio.wait([self._starting])
            self._starting.exception()  # whoever has left does not ask
        stopping = asyncio.ensure_future(self._client.stop())
        try:
            await asyncio.wait([stopping])
        finally:
            stopping.cancel()
        if not stopping.cancelled():
            stopping.result()
        elif isinstance(self._client, AIOKafkaConsumer):
            await self._client._client.close()


async def bounded(stopping: Awaitable[None], what: str) -> None:
    """Stopping a client can hang while its broker is away; what is left then dies with the process."""
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await stopping
    except (TimeoutError, KafkaError):
        log.warning("%s did not stop within %.0f s", what, STOP_SECONDS)
