"""A process that is there before its brokers are."""

import asyncio
import secrets

from tests.gateway.running import free_port
from tests.kafka.ledger import PARTITIONS, SESSION_MS, make_topics

from bus.kafka import KafkaLog
from bus.records import TopicPartition

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
