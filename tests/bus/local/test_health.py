"""Whether a server answers, asked of one that accepts and keeps silent."""

import asyncio

from bus.local.health import http_ok
from bus.local.ports import HOST


async def test_a_server_that_never_answers_is_not_ok_and_the_connection_to_it_is_closed() -> None:
    closed = asyncio.Event()

    async def keep_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        closed.set()

    async with await asyncio.start_server(keep_silent, HOST, 0) as server:
        assert not await http_ok(HOST, server.sockets[0].getsockname()[1], "/")
        await closed.wait()
