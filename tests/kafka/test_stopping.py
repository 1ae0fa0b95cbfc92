"""Clients that are stopped at a moment that their library does not expect."""

import asyncio

import pytest
from aiokafka.consumer import fetcher
from tests.kafka.deciding import started
from tests.kafka.ledger import SESSION_MS, make_topics

from bus.kafka import KafkaLog, reader
from bus.records import TopicPartition

SECONDS_MAX = 30


async def test_a_reader_that_is_stopped_after_a_failed_fetch_stops_nobody_else(
    kafka_bootstrap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between a fetch that has failed and the next one the client pauses: here for long enough to meet it."""
    await make_topics(kafka_bootstrap, "stopping")
    failed = asyncio.Event()  # what it logs would do, but repeated lines are left out
    monkeypatch.setattr(fetcher.log, "error", lambda *_: failed.set())
    monkeypatch.setattr(reader, "RETRY_MS", 60_000)
    place = TopicPartition("stopping.events", 0)
    reading = KafkaLog(kafka_bootstrap, SESSION_MS).reader("stopping")
    await reading.start([place])
    reading.seek(place, 0)
    client = reading._consumer._client
    async with asyncio.timeout(SECONDS_MAX):
        while not failed.is_set():
            for connection in list(client._conns.values()):
                connection.close()
            await asyncio.sleep(0.01)
        await reading.stop()
    assert not any(connection.connected() for connection in client._conns.values())


async def test_an_owner_that_is_cancelled_by_nobody_ends_the_service(kafka_bootstrap: str) -> None:
    """A partition without an owner would stand still, in a process that says that it is ready."""
    await make_topics(kafka_bootstrap, "stopping-owners")
    async with started(KafkaLog(kafka_bootstrap, SESSION_MS), "stopping-owners") as runtime:
        work = asyncio.create_task(runtime.run())
        async with asyncio.timeout(SECONDS_MAX):
            while not (runtime.ready and runtime._running):  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.01)
            runtime._running[0].cancel()
            with pytest.raises(RuntimeError, match="owner-0 was cancelled, and by nobody here"):
                await work
