"""A scripted server that answers HTTP requests too, as a test says, at the one address that a client knows."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Self

from tests.capicua.scripted_server import ScriptedServer

from contracts.message import Message


class Asked(NamedTuple):
    """A request that came: `line` is such as `POST /v1/tables`, with its query."""

    line: str
    body: Any
    token: str


Answer = Message | tuple[int, dict[str, Any]]
"""What a request gets with status 200, or a status and a body."""


class ScriptedProduct(ScriptedServer):
    """`answers` by the request's line without its query; everything else gets 200 and an empty object."""

    def __init__(self, tables: tuple[str, ...] = ()) -> None:
        super().__init__(tables)
        self.answers: dict[str, Answer | Callable[[Asked], Answer]] = {}
        self.asked: list[Asked] = []
        self._came: asyncio.Queue[Asked] = asyncio.Queue()
        self._front: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self._front = await asyncio.start_server(self._take_connection, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._front is not None
        self._front.close()
        await super().__aexit__()
        await self._front.wait_closed()

    @property
    def url(self) -> str:
        assert self._front is not None
        return f"http://127.0.0.1:{self._front.sockets[0].getsockname()[1]}"

    async def request(self, line: str) -> Asked:
        """The next request with that line, others passed over."""
        async with asyncio.timeout(60):
            while True:
                asked = await self._came.get()
                if asked.line == line:
                    return asked

    async def _take_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if b"upgrade: websocket" in head.lower():
                await self._pass_on(head, reader, writer)
            else:
                while True:
                    await self._answer(head.decode(), reader, writer)
                    head = await reader.readuntil(b"\r\n\r\n")
        writer.close()

    async def _answer(self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *fields = head.split("\r\n")
        headers = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(first.rsplit(" ", 1)[0], json.loads(body or b"null"), headers.get("authorization", ""))
        self.asked.append(asked)
        self._came.put_nowait(asked)
        status, text = self._answer_to(asked)
        writer.write(f"HTTP/1.1 {status} x\r\ncontent-length: {len(text.encode())}\r\n\r\n{text}".encode())
        await writer.drain()

    def _answer_to(self, asked: Asked) -> tuple[int, str]:
        answer = self.answers.get(asked.line.partition("?")[0], (200, {}))
        answer = answer(asked) if callable(answer) else answer
        return (200, answer.model_dump_json()) if isinstance(answer, Message) else (answer[0], json.dumps(answer[1]))

    async def _pass_on(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """To the socket's server and back, until one end is gone: then the other is too, as abruptly."""
        _, _, port = super().url.rpartition(":")
        back_reader, back_writer = await asyncio.open_connection("127.0.0.1", int(port))
        back_writer.write(head)
        pumps = [asyncio.ensure_future(_pump(reader, back_writer)), asyncio.ensure_future(_pump(back_reader, writer))]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        for end in (writer, back_writer):
            end.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
