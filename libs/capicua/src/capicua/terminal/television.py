"""What a screen shows: its pairing code, then the room, then the table while a match runs."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from rich.console import Console
from rich.text import Text

from capicua.cancelled import cancelled
from capicua.errors import Refused
from capicua.room_calls import join_link
from capicua.screen_client import ScreenClient
from capicua.table import Table
from capicua.terminal.display import Display
from capicua.terminal.page import Page
from capicua.terminal.qr import qr_lines
from capicua.terminal.room_page import names_in, room_lines, state_words
from capicua.terminal.ticking import lost
from capicua.view import TableView
from contracts.room_api import PrivateRoom

RESULT_SECONDS = 20.0
"""For how long the end of a match stays, if nobody starts the next."""
WHO_CELLS = 22
"""Of a seat's line, so that the picture of the link finds room at its right."""


class Television:
    """`program` is how this one is started."""

    def __init__(self, screen: ScreenClient, console: Console, program: str, *, as_json: bool) -> None:
        self._screen = screen
        self._console = console
        self._page = Page(console, as_json=as_json)
        self._program = program
        self._as_json = as_json
        self._room: PrivateRoom | None = None
        self._table: Table | None = None
        self._display: Display | None = None
        self._next_view: asyncio.Future[TableView] | None = None
        self._views: AsyncIterator[TableView] | None = None
        self._result_until = 0.0

    async def run(self) -> None:
        """Until the room is closed."""
        await self._screen.connect()
        self._show_pairing()
        rooms = self._screen.views()
        next_room: asyncio.Future[PrivateRoom] = asyncio.ensure_future(anext(rooms))
        try:
            while self._room is None or not self._room.closed:
                waiting: list[asyncio.Future[Any]] = [one for one in (next_room, self._next_view) if one is not None]
                await asyncio.wait(waiting, timeout=self._tick(), return_when=asyncio.FIRST_COMPLETED)
                if next_room.done():
                    await self._take_room(next_room.result())
                    next_room = asyncio.ensure_future(anext(rooms))
                if self._next_view is not None and self._next_view.done():
                    self._take_view(self._next_view)
                self._show_room_again()
        finally:
            await cancelled((next_room, self._next_view))
            await rooms.aclose()
            self._page.end_line()

    # ---- what comes

    async def _take_room(self, room: PrivateRoom) -> None:
        self._room = room
        if room.running and room.table_id is not None and (self._table is None or self._table.id != room.table_id):
            if self._table is not None:
                await self._table.close()
            self._table = await self._screen.watch(room.table_id)
            self._display = Display(self._console, self._screen.clock, as_json=self._as_json)
            self._views = self._table.views()
            self._next_view = asyncio.ensure_future(anext(self._views))
            self._result_until = 0.0
        if self._table is not None:
            self._table.names |= names_in(room)
        if self._as_json:
            self._page.print(Text(room.model_dump_json()))
        elif self._display is None:
            self._show_room(room)

    def _take_view(self, ready: "asyncio.Future[TableView]") -> None:
        self._next_view = None
        try:
            view = ready.result()
        except Refused:  # a table of long ago
            self._display = None
            return
        if self._display is not None:
            self._display.show(view)
        if view.over:
            self._result_until = asyncio.get_running_loop().time() + RESULT_SECONDS
        elif self._views is not None:
            self._next_view = asyncio.ensure_future(anext(self._views))

    # ---- what is shown

    def _tick(self) -> float:
        """Renews the first line; returns after how many seconds to do so again."""
        trouble = lost(self._screen.is_connected)
        if self._display is None:
            self._page.renew(self._heading(trouble))
            return 1.0
        return self._display.tick("   ".join(filter(None, [f"Room {self._screen.code}", trouble])))

    def _show_room_again(self) -> None:
        """Some time after a match."""
        if self._result_until and asyncio.get_running_loop().time() > self._result_until:
            self._result_until, self._display = 0.0, None
            if self._room is not None and not self._as_json:
                self._show_room(self._room)

    def _show_pairing(self) -> None:
        code, pairing = self._screen.code, self._screen.pairing
        if self._as_json:
            said = {"type": "screen", "pairing": pairing, "code": code}
            self._page.print(Text(json.dumps(said)))
        elif code is None:
            lines = [
                Text("This screen waits for a private room."),
                Text.assemble("Its host types  ", (f"screen {pairing}", "bold green")),
                Text.assemble("or you start it as  ", (f"{self._program} screen CODE", "green")),
            ]
            self._show(lines)

    def _show_room(self, room: PrivateRoom) -> None:
        link = room.link or join_link(self._screen.address.url, room.code)
        lines = [
            Text("Come in by"),
            Text(f"  {link}", "green"),
            Text(f"  {self._program} play --room {room.code}", "green"),
            Text(),
            *room_lines(room, None, WHO_CELLS),
            Text(),
            Text(state_words(room), "bold"),
        ]
        self._show(self._page.beside(lines, qr_lines(link, self._page.has_colors)) if self._page.is_screen else lines)

    def _show(self, lines: list[Text]) -> None:
        if self._page.is_screen:
            self._page.draw(self._heading(lost(self._screen.is_connected)), lines)
            return
        for line in lines:
            self._page.print(line)

    def _heading(self, trouble: str) -> Text:
        title = "Capicua" if self._screen.code is None else f"Capicua · private room {self._screen.code}"
        return Text("   ".join(filter(None, [title, trouble])), "bold")
