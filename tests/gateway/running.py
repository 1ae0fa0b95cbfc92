"""A whole gateway in this process on real servers, with the table and the lobby beside it, and clients for it."""

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Self

import httpx
from pydantic import SecretStr
from tests.keys import HOUSE_KEY, INNER_KEY, SIGNING_KEY, public_key
from websockets.asyncio.client import ClientConnection, connect

from bus.kafka import KafkaLog
from bus.parts import Parts
from bus.process import Process, Step
from bus.runtime import DeciderRuntime
from bus.settings import BusSettings
from bus.tasks import end
from bus.topics import ensure_topics
from gateway.app import build
from gateway.settings import GatewaySettings
from lobby.app import build as build_lobby
from table.decider import TableDecider

SESSION_MS = 6000
"""The default. A process that also plays a thousand clients may stand still for longer than a short session bears."""


async def _loop(step: Step) -> None:
    await step()


@asynccontextmanager
async def running(process: Process) -> AsyncIterator[None]:
    """Starts a process's parts here, and stops them in their order."""
    for step in process.start:
        await step()
    loops = [asyncio.create_task(_loop(step)) for step in process.loops]
    try:
        yield
    finally:
        await end(loops)
        for stop in process.stop:
            await stop()
    for loop in loops:
        if not loop.cancelled():
            loop.result()


def gateway_settings(
    bootstrap: str, redis_url: str, account_url: str, port: int, public_url: str | None = None
) -> GatewaySettings:
    return GatewaySettings(
        kafka_bootstrap=bootstrap,
        redis_url=redis_url,
        gateway_port=port,
        session_ms=SESSION_MS,
        signing_key=SecretStr(SIGNING_KEY.hex()),
        house_key=SecretStr(HOUSE_KEY),
        account_public_key=public_key().hex(),
        account_url=account_url,
        inner_key=SecretStr(INNER_KEY),
        leave_seconds=0.1,
        proxies=1,
        public_url=public_url,
        web_client=None,
    )


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@asynccontextmanager
async def deciders(bootstrap: str) -> AsyncIterator[None]:
    """The table and the lobby, owning all their partitions."""
    await ensure_topics(bootstrap, 6)
    log = KafkaLog(bootstrap, SESSION_MS)
    table = DeciderRuntime(TableDecider(), Parts(log), SESSION_MS)
    of_table = Process("table", loops=(table.run,), start=(table.start,), stop=(table.stop, log.close))
    lobby = build_lobby(BusSettings(kafka_bootstrap=bootstrap, session_ms=SESSION_MS))
    async with running(of_table), running(lobby):
        yield


@asynccontextmanager
async def gateway(
    bootstrap: str, redis_url: str, account_url: str, public_url: str | None = None
) -> AsyncIterator[str]:
    """``http://…`` of a gateway that has caught up; it asks the account service at `account_url`."""
    port = free_port()
    process = build(gateway_settings(bootstrap, redis_url, account_url, port, public_url))
    async with running(process):
        url = f"http://127.0.0.1:{port}"
        await until_open(port)
        yield url


async def until_open(port: int) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionError:
                await asyncio.sleep(0.02)  # the one thing that a closed door can tell is that it is closed
            else:
                writer.close()
                await writer.wait_closed()
                return


def from_somewhere() -> dict[str, str]:
    """The header of a proxy, with an address that nobody else has: wrong codes are counted by it."""
    return {"X-Forwarded-For": ".".join(str(secrets.randbelow(254) + 1) for _ in range(4))}


async def new_guest(http: httpx.AsyncClient, **wanted: Any) -> dict[str, Any]:
    """The answer; on a busy machine the ledger may not have one at once, and one comes again."""
    answer = await http.post("/v1/guests", json=wanted)
    while answer.status_code == 503:
        answer = await http.post("/v1/guests", json=wanted)
    made: dict[str, Any] = answer.raise_for_status().json()
    return made


class Guest:
    """A client with the bare protocol in its hands."""

    def __init__(self, http: httpx.AsyncClient, url: str, account: str, token: str) -> None:
        self.http = http
        self.url = url
        self.account = account
        self.token = token
        self.socket: ClientConnection

    @classmethod
    async def arrive(cls, http: httpx.AsyncClient, url: str, **wanted: Any) -> Self:
        found = await new_guest(http, **wanted)
        return cls(http, url, found["account"], found["token"])

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def connect(self) -> dict[str, Any]:
        """Says hello; the welcome."""
        where = {name: value for name, value in self.http.headers.items() if name.lower() == "x-forwarded-for"}
        address = "ws" + self.url.removeprefix("http") + "/v1/ws"
        self.socket = await connect(address, compression=None, additional_headers=where)
        await self.say(type="hello", token=self.token)
        return await self.hear("welcome")

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types; others before it are passed over."""
        async with asyncio.timeout(10):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                if message["type"] in kinds:
                    return message

    async def command(self, table_id: str, command: dict[str, Any], command_id: str | None = None) -> dict[str, Any]:
        """Sends a command; its answer, or the error about it."""
        wanted = command_id or secrets.token_hex(8)
        await self.say(type="command", id=wanted, table_id=table_id, command=command)
        while True:
            message = await self.hear("answer", "error")
            if message.get("id") == wanted:
                return message


@asynccontextmanager
async def guests(url: str, count: int) -> AsyncIterator[list[Guest]]:
    """Connected guests."""
    async with AsyncExitStack() as stack:
        client = httpx.AsyncClient(base_url=url, timeout=10, headers=from_somewhere())
        http = await stack.enter_async_context(client)
        found = [await Guest.arrive(http, url) for _ in range(count)]
        for guest in found:
            await guest.connect()
            stack.push_async_callback(guest.socket.close)
        yield found


async def from_the_queue(people: list[Guest], **wanted: Any) -> str:
    """Everyone joins the queue and is told of the table; its id. Pools of one target each do not meet."""
    for guest in people:
        request = {"id": secrets.token_hex(8), "seats": len(people), "target": 50, **wanted}
        answer = await guest.http.post("/v1/queue", json=request, headers=guest.headers)
        assert answer.status_code == 200, answer.text
    told = [(await guest.hear("your-table"))["table_id"] for guest in people]
    assert len(set(told)) == 1
    return str(told[0])
