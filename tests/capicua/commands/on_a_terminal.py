"""The command itself on a pseudo-terminal, at any size."""

import asyncio
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path
from types import TracebackType
from typing import Self

CAPICUA = str(Path(sys.executable).with_name("capicua"))
STYLES = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """Runs `capicua` with these arguments; `page` is what stands on it since it was last cleared, without styles."""

    def __init__(self, arguments: str, columns: int = 80, lines: int = 24) -> None:
        self._arguments = arguments.split()
        self._size = struct.pack("HHHH", lines, columns, 0, 0)
        self._master = -1
        self._process: asyncio.subprocess.Process | None = None
        self._text = ""
        self._came = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, self._size)
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self._process = await asyncio.create_subprocess_exec(
            CAPICUA,
            *self._arguments,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**environment, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(slave)
        asyncio.get_running_loop().add_reader(self._master, self._read)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)

    @property
    def page(self) -> str:
        return STYLES.sub("", self._text.rpartition("\x1b[2J")[2]).replace("\r", "")

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    async def shows(self, text: str) -> str:
        """Waits until that stands on the page; returns the page."""
        async with asyncio.timeout(60):
            while text not in self.page:
                self._came.clear()
                await self._came.wait()
        return self.page

    async def ends(self) -> int:
        assert self._process is not None
        async with asyncio.timeout(60):
            return await self._process.wait()

    def _read(self) -> None:
        try:
            self._text += os.read(self._master, 65536).decode(errors="replace")
            self._came.set()
        except OSError:  # the command has ended
            asyncio.get_running_loop().remove_reader(self._master)
