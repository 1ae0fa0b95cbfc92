"""Connections that say nothing, or half of something: how they end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from tests.gateway.fuzz.raw import connection, upgrade

DRIP_SECONDS = 0.5
HALVES = (
    b"GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Slow:",
    b"POST /v1/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    b"POST /v1/guests HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    upgrade(),
)


async def until_ended(reader: asyncio.StreamReader) -> bytes:
    said = b""
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            said += data
    return said


async def half(url: str, data: bytes) -> bytes:
    async with connection(url) as (reader, writer):
        writer.write(data)
        return await until_ended(reader)


async def dripping(url: str, data: bytes) -> bytes:
    """One more letter whenever there has been no answer for a while."""
    async with connection(url) as (reader, writer):
        writer.write(data)
        ending = asyncio.create_task(until_ended(reader))
        while not (await asyncio.wait([ending], timeout=DRIP_SECONDS))[0]:
            writer.write(b"x")
        return ending.result()


@asynccontextmanager
async def silent(url: str, count: int) -> AsyncIterator[list[asyncio.Task[bytes]]]:
    """So many connections that say nothing."""
    async with AsyncExitStack() as stack:
        tasks = []
        for _ in range(count):
            reader, _ = await stack.enter_async_context(connection(url))
            tasks.append(asyncio.create_task(until_ended(reader)))
        yield tasks


@asynccontextmanager
async def halves(url: str) -> AsyncIterator[list[asyncio.Task[bytes]]]:
    """One connection for each half request, and one on which it grows by a letter now and then."""
    saying = [half(url, data) for data in HALVES] + [dripping(url, data) for data in HALVES[:3]]
    tasks = [asyncio.create_task(each) for each in saying]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
