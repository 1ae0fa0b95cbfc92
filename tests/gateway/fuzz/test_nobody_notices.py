"""Connections that say nothing, half of something, or everything without ever reading: they end, and nobody notices."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import httpx
import pytest
from tests.gateway.fuzz.budget import LONG, long_enough
from tests.gateway.fuzz.planted import Planted, somewhere
from tests.gateway.fuzz.raw import connection, frame, upgrade
from tests.gateway.running import Guest

from gateway.open_files import raise_limit

pytestmark = pytest.mark.servers
SILENT = 10_000 if LONG else 500
NEVER_READING = 20
FILES_ELSE = 500
ENDED_SECONDS_MAX, DRIP_SECONDS = 120.0, 0.5
NOTICED_SECONDS = 2.0
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


async def never_reading(url: str, token: str, table_id: str) -> None:
    """Asks for everything and reads nothing, until it is hung up on or cancelled."""
    async with connection(url) as (_, writer):
        writer.write(upgrade() + frame({"type": "hello", "token": token}))
        with suppress(ConnectionError):
            for number in range(1_000_000):
                writer.write(frame({"type": "watch", "table_id": table_id}))
                writer.write(frame({"type": "follow-room", "preset": "draw"}))
                writer.write(frame({"type": "ping", "id": f"p{number}"}))
                await asyncio.wait_for(writer.drain(), ENDED_SECONDS_MAX)


async def slowest_pong(guest: Guest, until: asyncio.Event) -> float:
    """Of somebody who asks something ten times a second: how long an answer took at most, in seconds."""
    slowest = 0.0
    while not until.is_set():
        began = time.monotonic()
        await guest.say(type="ping", id="p")
        await guest.hear("pong")
        slowest = max(slowest, time.monotonic() - began)
        with suppress(TimeoutError):
            await asyncio.wait_for(until.wait(), 0.1)
    return slowest


@long_enough
async def test_nobody_notices_who_says_nothing_half_or_reads_nothing(secret: Planted) -> None:
    count = min(SILENT, raise_limit() - FILES_ELSE)
    ended = asyncio.Event()
    async with httpx.AsyncClient(base_url=secret.url, headers=somewhere(), timeout=20) as http:
        honest, bad = await Guest.arrive(http, secret.url), await Guest.arrive(http, secret.url)
        await honest.connect()
        pinging = asyncio.create_task(slowest_pong(honest, ended))
        deaf = [
            asyncio.create_task(never_reading(secret.url, bad.token, secret.table_id)) for _ in range(NEVER_READING)
        ]
        async with silent(secret.url, count) as crowd, asyncio.timeout(ENDED_SECONDS_MAX):
            halves = [half(secret.url, data) for data in HALVES]
            said = await asyncio.gather(*halves, *(dripping(secret.url, data) for data in HALVES[:3]), *crowd)
            if LONG:
                await asyncio.gather(*deaf)
        ended.set()
        slowest = await pinging
        assert (await http.get("/v1/me", headers=honest.headers)).status_code == 200
        for task in deaf:
            task.cancel()
        await asyncio.gather(*deaf, return_exceptions=True)
        await honest.socket.close()
    assert slowest < NOTICED_SECONDS
    assert b" 500 " not in b"".join(said)
