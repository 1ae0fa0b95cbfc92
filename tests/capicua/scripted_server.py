"""A WebSocket server that a test drives by hand: it sees what a client sends and answers what the test says."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from contracts.message import Message
from contracts.room_api import Said


class ScriptedServer:
    """One client at a time matters: `received` has its messages in order over all connections, pings left out."""

    def __init__(self, tables: tuple[str, ...] = ()) -> None:
        self.tables = tables
        self.hellos = 0
        self.hello_token = ""
        """Of the last hello."""
        self.greeted = asyncio.Event()
        """A hello has been answered."""
        self.pong_ms = 5_000_000
        """The server's time that answers to pings give; `ponged` is set by the first answer."""
        self.ponged = asyncio.Event()
        self._received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._connection: ServerConnection | None = None
        self._server: Server | None = None
        self.on_hello: Callable[[], dict[str, Any]] = self._welcome
        self.on_say: Callable[[str], Message | None] = lambda said_id: Said(id=said_id)
        """Answers what is said under that id."""

    async def __aenter__(self) -> Self:
        self._server = await serve(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"

    async def next(self, kind: str) -> dict[str, Any]:
        """The client's next message, which must be of that kind."""
        async with asyncio.timeout(30):
            message = await self._received.get()
        assert message["type"] == kind, message
        return message

    @property
    def nothing_more(self) -> bool:
        return self._received.empty()

    async def send(self, message: Message | dict[str, Any]) -> None:
        assert self._connection is not None
        text = json.dumps(message) if isinstance(message, dict) else message.model_dump_json()
        await self._connection.send(text)

    async def drop(self) -> None:
        """Ends the connection as a dying server does."""
        assert self._connection is not None
        self._connection.transport.abort()
        await self._connection.wait_closed()

    async def close(self, code: int, reason: str) -> None:
        """Ends the connection and says why."""
        assert self._connection is not None
        await self._connection.close(code, reason)

    def _welcome(self) -> dict[str, Any]:
        seats = [{"table_id": table, "region": "eu"} for table in self.tables]
        return {"type": "welcome", "account": "gtest", "tables": seats, "server_time": 0}

    async def _serve(self, connection: ServerConnection) -> None:
        self._connection = connection
        try:
            async for frame in connection:
                await self._take(connection, json.loads(frame))
        except ConnectionClosed:
            pass

    async def _take(self, connection: ServerConnection, message: dict[str, Any]) -> None:
        match message["type"]:
            case "hello":
                self.hellos += 1
                self.hello_token = message["token"]
                await connection.send(json.dumps(self.on_hello()))
                self.greeted.set()
            case "ping":
                await connection.send(json.dumps({"type": "pong", "id": message["id"], "server_time": self.pong_ms}))
                self.ponged.set()
            case _:
                self._received.put_nowait(message)
                answer = self.on_say(message["id"]) if message["type"] == "say" else None
                if answer is not None:
                    await connection.send(answer.model_dump_json())
