"""A process that is there before its brokers are."""

import asyncio
import secrets

import pytest
from tests.gateway.running import free_port
from tests.kafka.ledger import PARTITIONS, SESSION_MS, make_topics

from bus.kafka import KafkaLog
from bus.kafka.client import START_SECONDS_MAX
from bus.records import LogUnavailable, TopicPartition

SECONDS = 20


async def test_a_log_waits_for_brokers_that_are_not_there_yet(kafka_bootstrap: str) -> None:
    door = free_port()
    log = KafkaLog(f"127.0.0.1:{door}", SESSION_MS)
    waiting = asyncio.create_task(log.wait_for_brokers())
    await asyncio.wait([waiting], timeout=0.5)
    assert not waiting.done()
    async with await asyncio.start_server(lambda *ends: forward(kafka_bootstrap, *ends), "127.0.0.1", door):
        async with asyncio.timeout(SECONDS):
            await waiting
        await log.close()


async def test_clients_start_though_the_broker_hangs_up_on_them_at_first(kafka_bootstrap: str) -> None:
    name, door, refused = f"waiting-{secrets.token_hex(4)}", free_port(), 0
    await make_topics(kafka_bootstrap, name)
    log, topic = KafkaLog(f"127.0.0.1:{door}", SESSION_MS), f"{name}.events"
    reader, membership = log.reader("r"), log.membership(name, [topic])

    async def moody(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal refused
        refused += 1
        if refused % 3:
            writer.close()
        else:
            await forward(kafka_bootstrap, reader, writer)

    async with await asyncio.start_server(moody, "127.0.0.1", door):
        async with asyncio.timeout(SECONDS):
            assert await log.partition_count(topic) == PARTITIONS
            await reader.start([TopicPartition(topic, 0)])
            await membership.start()
        assert refused == 9
        await asyncio.gather(reader.stop(), membership.stop())


async def test_a_reader_of_brokers_that_are_away_tells_that_the_log_is_and_not_what_the_client_says() -> None:
    reader = KafkaLog(f"127.0.0.1:{free_port()}", SESSION_MS).reader("r")
    with pytest.raises(LogUnavailable):
        await reader.start([TopicPartition("waiting.events", 0)])
    await reader.stop()


async def test_a_start_that_was_left_does_not_go_on_when_the_broker_is_back(kafka_bootstrap: str) -> None:
    door, came = free_port(), asyncio.Event()

    async def late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.set()
        await forward(kafka_bootstrap, reader, writer)

    reader = KafkaLog(f"127.0.0.1:{door}", SESSION_MS).reader("r")
    starting = asyncio.create_task(reader.start([TopicPartition("waiting.events", 0)]))
    await asyncio.wait([starting], timeout=0.5)
    starting.cancel()
    await reader.stop()
    async with await asyncio.start_server(late, "127.0.0.1", door):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(came.wait(), START_SECONDS_MAX / 4)


async def forward(address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carries one connection to the real broker."""
    host, port = address.split(":")
    there_reader, there_writer = await asyncio.open_connection(host, int(port))
    async with asyncio.TaskGroup() as both:
        both.create_task(carry(reader, there_writer))
        both.create_task(carry(there_reader, writer))


async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        target.write(data)
        await target.drain()
    target.close()
