"""Many people at once, each with a connection of their own."""

import asyncio
import resource
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

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


@asynccontextmanager
async def crowd(url: str, count: int) -> AsyncIterator[Sequence[Client]]:
    """Connected programs. Each has two connections: a process that does not ask for more may have 1,024 open files."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
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
