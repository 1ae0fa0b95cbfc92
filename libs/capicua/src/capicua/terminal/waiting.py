"""A person who waits for a table: sees why there is none yet, and says yes or no to what would help."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Protocol

from rich.text import Text

from capicua.cancelled import cancelled
from capicua.errors import Refused
from capicua.table import Table
from capicua.terminal.choice import NotUnderstood
from capicua.terminal.keyboard import Keyboard
from capicua.terminal.page import Page
from capicua.terminal.ticking import lost

TICK_SECONDS = 1.0
LEAVE = ("q", "quit")


class WaitedFor(Protocol):
    """What a person waits in."""

    def news(self) -> AsyncGenerator[None, None]:
        """Wakes whenever what the others return may have changed."""
        ...

    def heading(self) -> str:
        """With a time that runs."""
        ...

    def lines(self) -> list[Text]: ...

    def plain(self) -> str:
        """The news in one line, for a pipe; empty where there is none."""
        ...

    def as_json(self) -> str: ...

    def question(self) -> str:
        """What a typed line would answer; empty where nothing is asked."""
        ...

    @property
    def takes_lines(self) -> bool:
        """Whether what is typed now is for this."""
        ...

    async def obey(self, line: str) -> str | None:
        """Does what was typed; returns what to say to it, none when the person waits no longer. Raises `Refused` and
        `NotUnderstood`."""
        ...


class Waiting:
    """Shows `waited_for` until there is a table."""

    def __init__(
        self, waited_for: WaitedFor, page: Page, keyboard: Keyboard, connected: Callable[[], bool], as_json: bool
    ) -> None:
        self._waited_for = waited_for
        self._page = page
        self._keyboard = keyboard
        self._connected = connected
        self._as_json = as_json
        self._is_at_end = False
        self._note = ""
        self._told = ""

    async def table(self, next_table: Awaitable[Table]) -> Table | None:
        """None when the person waits no longer. Raises what ended the connection, or the waiting."""
        given = asyncio.ensure_future(next_table)
        news = self._waited_for.news()
        coming: asyncio.Future[None] = asyncio.ensure_future(anext(news))
        typed: asyncio.Future[str | None] | None = None
        obeying: asyncio.Future[bool] | None = None
        try:
            while True:
                if typed is None and obeying is None:
                    typed = self._next_line()
                waiting: list[asyncio.Future[Any] | None] = [given, coming, typed, obeying]
                await asyncio.wait(filter(None, waiting), timeout=TICK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if given.done():
                    return given.result()
                if coming.done():
                    coming.result()
                    self._show()
                    coming = asyncio.ensure_future(anext(news))
                if obeying is not None and obeying.done():
                    stays, obeying = obeying.result(), None
                    if not stays:
                        return None
                if typed is not None and typed.done():
                    obeying, typed = asyncio.ensure_future(self._obey(typed.result())), None
                self._page.renew(self._first())
        finally:
            await cancelled((given, coming, typed, obeying))
            await news.aclose()
            self._page.end_line()

    def _next_line(self) -> "asyncio.Future[str | None] | None":
        if self._is_at_end or not self._waited_for.takes_lines:
            return None
        self._keyboard.start()
        return asyncio.ensure_future(self._keyboard.line())

    async def _obey(self, line: str | None) -> bool:
        """False when the person waits no longer. The end of input is no wish."""
        if line is None:
            self._is_at_end = True
            return True
        try:
            note = await self._waited_for.obey(line.strip())
        except (Refused, NotUnderstood) as error:
            note = f"Refused: {error}" if isinstance(error, Refused) else str(error)
        if note is None:
            return False
        self._note = note
        self._show()
        if note and not self._page.is_screen and not self._as_json:
            self._page.print(Text(note))
        return True

    def _show(self) -> None:
        if self._page.is_screen:
            lines = [*self._waited_for.lines(), *(Text(line, "yellow") for line in self._note.splitlines())]
            self._page.draw(self._first(), lines, self._waited_for.question())
            return
        told = self._waited_for.as_json() if self._as_json else self._waited_for.plain()
        if told and told != self._told:
            self._told = told
            self._page.print(Text(told))

    def _first(self) -> Text:
        trouble = lost(self._connected())
        return Text(self._waited_for.heading() + (f"   {trouble}" if trouble else ""), "bold")
