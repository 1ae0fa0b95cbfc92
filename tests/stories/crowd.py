"""Many people at once, each with a connection of their own."""

import asyncio
import json
import re
import resource
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from tests.kafka.product import Watch, watching

from bus.kafka import KafkaLog
from bus.parts import Parts
from capicua import Client
from capicua.server.processes import Need
from capicua.server.stack import Stack

AT_ONCE = 50
PATIENCE_SECONDS = 90
SESSION_MS = 10_000
T = TypeVar("T")


async def each(people: Iterable[T], do: Callable[[T], Awaitable[object]]) -> None:
    """So many at once that nobody's own time is up before the turn comes."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(person: T) -> None:
        async with room:
            await do(person)

    await asyncio.gather(*(one(person) for person in people))


def ask_for_open_files() -> None:
    """As many as there may be: a process that does not ask may have 1,024, and each connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Caller:
    """Somebody with one HTTP connection of their own, and no more around it: five hundred of these fit into a test."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def of(cls, url: str) -> Self:
        address = urlsplit(url)
        return cls(*await asyncio.open_connection(address.hostname, address.port))

    async def post(self, path: str, body: dict[str, Any], token: str | None = None) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer."""
        content = json.dumps(body).encode()
        lines = [f"POST {path} HTTP/1.1", "Host: gateway", "Content-Type: application/json"]
        lines += [f"Content-Length: {len(content)}", *([f"Authorization: Bearer {token}"] if token else [])]
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        assert length is not None, head
        return int(head.split(" ", 2)[1]), json.loads(await self._reader.readexactly(int(length[1])))

    def hang_up(self) -> None:
        self._writer.close()


@asynccontextmanager
async def crowd(url: str, count: int) -> AsyncIterator[Sequence[Client]]:
    """Connected programs. Each has two connections."""
    ask_for_open_files()
    clients = [Client(url, patience_seconds=PATIENCE_SECONDS) for _ in range(count)]

    async def arrive(client: Client) -> None:
        await client.guest(bot=True)
        await client.connect()

    try:
        await each(clients, arrive)
        yield clients
    finally:
        await asyncio.gather(*(client.close() for client in clients))


@asynccontextmanager
async def watched(stack: Stack) -> AsyncIterator[Watch]:
    """The log of the stack, from its beginning on."""
    log = KafkaLog(stack.servers[Need.KAFKA].address, SESSION_MS)
    async with AsyncExitStack() as ends:
        ends.push_async_callback(log.close)
        yield await ends.enter_async_context(watching(Parts(log)))
