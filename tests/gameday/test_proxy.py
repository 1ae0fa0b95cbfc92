"""The proxy does to a connection what it says."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from bench.gameday.proxy import HOST, Proxy
from tests.gateway.running import free_port

SECONDS_MAX = 10.0
SHORT_SECONDS = 0.1


class Echo:
    """A server that says back what it hears, and counts who has told it that no more will come."""

    def __init__(self) -> None:
        self.port = free_port()
        self.ended = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(100):
                writer.write(data)
            self.ended.set()
        except ConnectionError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def connected(proxy: Proxy) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(HOST, proxy.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def said_back(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: bytes) -> bytes:
    writer.write(text)
    async with asyncio.timeout(SECONDS_MAX):
        return await reader.readexactly(len(text))


@pytest.fixture
async def echo() -> AsyncIterator[Echo]:
    echo = Echo()
    async with await asyncio.start_server(echo.serve, HOST, echo.port):
        yield echo


@pytest.fixture
async def proxy(echo: Echo) -> AsyncIterator[Proxy]:
    proxy = Proxy(echo.port, free_port())
    await proxy.start()
    yield proxy
    await proxy.stop()


async def test_it_carries_both_ways(proxy: Proxy) -> None:
    async with connected(proxy) as (reader, writer):
        assert await said_back(reader, writer, b"hello") == b"hello"


async def test_slow_weather_delays_each_way(proxy: Proxy) -> None:
    async with connected(proxy) as (reader, writer):
        await said_back(reader, writer, b"first")
        proxy.slow(SHORT_SECONDS)
        began = time.monotonic()
        await said_back(reader, writer, b"second")
        assert time.monotonic() - began >= 2 * SHORT_SECONDS


async def test_what_stands_still_arrives_when_it_clears_up(proxy: Proxy) -> None:
    async with connected(proxy) as (reader, writer):
        await said_back(reader, writer, b"first")
        proxy.stand_still()
        waiting = asyncio.create_task(said_back(reader, writer, b"second"))
        await asyncio.wait([waiting], timeout=SHORT_SECONDS)
        assert not waiting.done()
        proxy.clear()
        assert await waiting == b"second"


async def test_a_cut_is_a_reset(proxy: Proxy) -> None:
    async with connected(proxy) as (reader, writer):
        await said_back(reader, writer, b"first")
        assert proxy.cut() == 2
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await said_back(reader, writer, b"second")


async def test_half_closed_both_ends_hear_that_no_more_will_come(proxy: Proxy, echo: Echo) -> None:
    async with connected(proxy) as (reader, writer):
        await said_back(reader, writer, b"first")
        assert proxy.half_close() == 2
        async with asyncio.timeout(SECONDS_MAX):
            assert await reader.read() == b""
            await echo.ended.wait()


async def test_half_open_old_connections_are_silent_for_ever_and_new_ones_work(proxy: Proxy) -> None:
    async with connected(proxy) as old:
        await said_back(*old, b"first")
        assert proxy.forsake() >= 2
        waiting = asyncio.create_task(said_back(*old, b"second"))
        async with connected(proxy) as new:
            assert await said_back(*new, b"third") == b"third"
        assert not waiting.done()
        waiting.cancel()
