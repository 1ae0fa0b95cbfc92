"""A TCP proxy that can be told to delay, to stand still, to cut, and to close one direction only."""

import asyncio
from contextlib import suppress
from enum import Enum

HOST = "127.0.0.1"
CHUNK_BYTES = 65536


class Weather(Enum):
    CLEAR = "clear"
    SLOW = "slow"  # every chunk `delay_seconds` late, in order
    STILL = "still"  # nothing passes and nothing is closed: a half-open connection


class Proxy:
    """One door in front of one broker. What it was told holds for the connections that there are and for new ones."""

    def __init__(self, target_port: int, port: int) -> None:
        self.port = port
        self.weather = Weather.CLEAR
        self.delay_seconds = 0.0
        self._target_port = target_port
        self._server: asyncio.Server | None = None
        self._changed = asyncio.Event()
        self._carrying: set[asyncio.Task[None]] = set()
        self._ends: set[asyncio.StreamWriter] = set()
        self._forsaken: set[asyncio.StreamWriter] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._connected, HOST, self.port)

    def clear(self) -> None:
        self.weather, self.delay_seconds = Weather.CLEAR, 0.0
        self._tell()

    def slow(self, seconds: float) -> None:
        self.weather, self.delay_seconds = Weather.SLOW, seconds
        self._tell()

    def stand_still(self) -> None:
        self.weather = Weather.STILL
        self._tell()

    def forsake(self) -> int:
        """The connections that there are stay open and carry nothing ever again; new ones work. How many ends."""
        self._forsaken |= self._ends
        return len(self._ends)

    def cut(self) -> int:
        """Resets every connection, without warning; how many ends that were."""
        cut = len(self._ends)
        for writer in list(self._ends):
            writer.transport.abort()
        return cut

    def half_close(self) -> int:
        """Says on every connection that no more will be said, and goes on listening; how many ends that were."""
        closed = 0
        for writer in list(self._ends):
            if writer.can_write_eof() and not writer.is_closing():
                with suppress(OSError):  # the other end has gone this very moment
                    writer.write_eof()
                    closed += 1
        return closed

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._carrying):
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            there_reader, there_writer = await asyncio.open_connection(HOST, self._target_port)
        except OSError:
            self._writers.discard(writer)
            writer.transport.abort()
            return
        self._writers.add(there_writer)
        for source, target in ((reader, there_writer), (there_reader, writer)):
            task = asyncio.get_running_loop().create_task(self._carry(source, target))
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        self._ends.add(target)
        try:
            while data := await source.read(CHUNK_BYTES):
                await self._let_through(target)
                target.write(data)
                await target.drain()
        except (OSError, RuntimeError):
            pass  # the other end is gone, or was told that no more would come
        finally:
            self._ends.discard(target)
            self._forsaken.discard(target)
            self._writers.discard(target)
            target.close()

    async def _let_through(self, target: asyncio.StreamWriter) -> None:
        if self.weather is Weather.SLOW:
            await asyncio.sleep(self.delay_seconds)
        while self.weather is Weather.STILL or target in self._forsaken:
            await self._changed.wait()
