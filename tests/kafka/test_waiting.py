"""A process that is there before its brokers are."""

import asyncio

from tests.gateway.running import free_port

from bus.kafka import KafkaLog

SESSION_MS = 2000
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
