"""Lines that a person types, or that stand in a pipe."""

import asyncio
import sys
import threading
from io import TextIOWrapper
from typing import TextIO


class Keyboard:
    """Reads in a thread of its own, because a read of standard input cannot be cancelled."""

    def __init__(self, source: TextIO = sys.stdin) -> None:
        self._source = source
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._is_started = False

    def start(self) -> None:
        if self._is_started:
            return
        self._is_started = True
        if isinstance(self._source, TextIOWrapper):
            self._source.reconfigure(errors="replace")  # a stray byte is a line like others that are no choice
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), daemon=True, name="keyboard").start()

    async def line(self) -> str | None:
        """The next line, or none at the end of input, again and again."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def forget_typed(self) -> None:
        """What was typed before it was asked for must not become a choice."""
        while not self._lines.empty():
            line = self._lines.get_nowait()
            if line is None:
                self._lines.put_nowait(None)
                return

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        for line in self._source:
            if not self._put(loop, line):
                return
        self._put(loop, None)

    def _put(self, loop: asyncio.AbstractEventLoop, line: str | None) -> bool:
        try:
            loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:  # the loop has ended
            return False
        return True
