"""A terminal in a test's hands: what is shown on it, and what is typed."""

import asyncio
import io
import os
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console

from capicua.terminal.keyboard import Keyboard


class Printed(io.StringIO):
    """What is printed, for somebody who waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self._written = asyncio.Event()

    def write(self, text: str) -> int:
        self._written.set()
        return super().write(text)

    async def until(self, true: Callable[[], bool]) -> None:
        """Looks after everything that is printed."""
        async with asyncio.timeout(20):
            while not true():
                self._written.clear()
                await self._written.wait()


def a_console(*, terminal: bool = True, width: int = 80, height: int = 24) -> tuple[Console, Printed]:
    out = Printed()
    console = Console(file=out, width=width, height=height, highlight=False, force_terminal=terminal, color_system=None)
    return console, out


def last_page(out: io.StringIO) -> list[str]:
    """What stands on the terminal after it was last cleared."""
    return out.getvalue().rpartition("\x1b[2J")[2].splitlines()


class Terminal:
    """`keyboard` gives what is typed here, line by line."""

    def __init__(self, *, terminal: bool = True, width: int = 80, height: int = 24) -> None:
        self.console, self.out = a_console(terminal=terminal, width=width, height=height)
        reading, self._writing = os.pipe()
        self._source = os.fdopen(reading)
        self.keyboard = Keyboard(self._source)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._writing)

    def type(self, line: str) -> None:
        os.write(self._writing, f"{line}\n".encode())

    @property
    def page(self) -> str:
        return "\n".join(last_page(self.out))

    async def shows(self, text: str) -> str:
        """Waits until that stands on the terminal; returns the page."""
        await self.out.until(lambda: text in self.page)
        return self.page
