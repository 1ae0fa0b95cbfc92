"""A WebSocket client that answers the pings of the protocol when a test says so."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri


class Holding:
    """A client with the bare frames in its hands: it answers a ping when it is told to, and not before."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, url: str) -> None:
        self._reader = reader
        self._writer = writer
        self._protocol = ClientProtocol(parse_uri(url))
        self._frames: list[Frame] = []

    @classmethod
    @asynccontextmanager
    async def connect(cls, url: str) -> AsyncIterator[Self]:
        """``ws://…``"""
        uri = parse_uri(url)
        client = cls(*await asyncio.open_connection(uri.host, uri.port), url)
        client._protocol.send_request(client._protocol.connect())
        client._write()
        try:
            async with asyncio.timeout(10):
                while client._protocol.state is State.CONNECTING:
                    await client._read()
            yield client
        finally:
            client._writer.close()
            await client._writer.wait_closed()

    def _write(self) -> None:
        self._writer.write(b"".join(self._protocol.data_to_send()))

    async def hear(self, opcode: Opcode) -> Frame:
        """The next frame of this kind; others stay for later."""
        async with asyncio.timeout(10):
            while True:
                for frame in self._frames:
                    if frame.opcode is opcode:
                        self._frames.remove(frame)
                        return frame
                await self._read()

    async def _read(self) -> None:
        self._protocol.receive_data(await self._reader.read(65536))
        self._protocol.data_to_send()  # the answers that the library would give at once
        self._frames += [event for event in self._protocol.events_received() if isinstance(event, Frame)]

    async def pinged(self) -> bytes:
        """The payload of the next ping."""
        return bytes((await self.hear(Opcode.PING)).data)

    def pong(self, payload: bytes) -> None:
        self._protocol.send_pong(payload)
        self._write()

    def say(self, text: str) -> None:
        self._protocol.send_text(text.encode())
        self._write()

    def send(self, data: bytes) -> None:
        """Whatever the bytes are."""
        self._writer.write(data)

    async def told(self) -> str:
        """The next text."""
        return bytes((await self.hear(Opcode.TEXT)).data).decode()

    async def hold(self, ms: int) -> None:
        """Lets so much time go by, and answers nothing meanwhile. It is real time: a socket's delay is what the test is
        about, and a clock of its own would measure none."""
        loop = asyncio.get_running_loop()
        passed = loop.create_future()
        loop.call_later(ms / 1000, passed.set_result, None)
        await passed
