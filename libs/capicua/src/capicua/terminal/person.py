"""A person at a table: shows every view, asks for each choice."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from capicua.cancelled import cancelled
from capicua.errors import Refused
from capicua.player import says_ready, unless_refused
from capicua.table import Table
from capicua.terminal.choice import NotUnderstood, choose, nothing_fits
from capicua.terminal.display import Display
from capicua.terminal.keyboard import Keyboard
from capicua.terminal.prompts import END_HELP, help_lines, not_now, prompt, refused, resign_question
from capicua.terminal.table_talk import TableTalk
from capicua.terminal.ticking import lost, ticking
from capicua.view import TableView
from contracts.room_api import Talk

ANSWER_SECONDS = 2.0
NO_ANSWER = "no answer yet, asking again …"
EndPause = Callable[[TableView], Awaitable[bool]]
YES, NO = ("y", "yes"), ("", "n", "no")


class Person:
    """Plays one match at `table`. On a terminal lines are taken at any time, from a pipe only when one is needed.

    `end_pause` ends a pause from outside the table, where this person may do so, and says whether it has.
    """

    def __init__(
        self,
        table: Table,
        display: Display,
        keyboard: Keyboard,
        connected: Callable[[], bool],
        talk: TableTalk,
        end_pause: EndPause | None = None,
    ) -> None:
        self._table = table
        self._display = display
        self._keyboard = keyboard
        self._connected = connected
        self._talk = talk
        self._end_pause = end_pause
        self._view: TableView | None = None
        self._may_resign = False
        self._asked_at: float | None = None

    async def play(self) -> TableView | None:
        """Until the match is over: the last view; or none when the person has left."""
        self._keyboard.start()
        await unless_refused(self._table.sit())
        async with ticking(self._display, self._trouble):
            return await self._take_turns()

    async def _take_turns(self) -> TableView | None:
        views, heard = self._table.views(), self._talk.heard()
        next_view = asyncio.ensure_future(anext(views))
        next_talk: asyncio.Future[Talk | None] | None = asyncio.ensure_future(anext(heard, None))
        typed: asyncio.Future[str | None] | None = None
        obeying: asyncio.Future[bool] | None = None
        try:
            while True:
                if typed is None and obeying is None and self._wants_line():
                    typed = asyncio.ensure_future(self._keyboard.line())
                waiting: list[asyncio.Future[Any] | None] = [next_view, next_talk, typed, obeying]
                await asyncio.wait(filter(None, waiting), return_when=asyncio.FIRST_COMPLETED)
                if next_view.done():
                    self._show(next_view.result())
                    if self._view is not None and self._view.over:
                        return self._view
                    next_view = asyncio.ensure_future(anext(views))
                if next_talk is not None and next_talk.done():
                    talk = next_talk.result()
                    next_talk = None if talk is None else asyncio.ensure_future(anext(heard, None))
                    self._hear(talk)
                if obeying is not None and obeying.done():
                    stays, obeying = obeying.result(), None
                    if not stays:
                        return None
                if typed is not None and typed.done():
                    obeying, typed = asyncio.ensure_future(self._obey(typed.result())), None
        finally:
            await cancelled((next_view, next_talk, typed, obeying))
            await heard.aclose()

    def _wants_line(self) -> bool:
        if self._display.is_screen or self._may_resign:
            return True
        return self._view is not None and (self._view.my_turn or says_ready(self._view))

    def _show(self, view: TableView) -> None:
        turned = view.my_turn and not (self._view is not None and self._view.my_turn)
        if turned and self._display.is_screen:
            self._keyboard.forget_typed()
        self._view = view
        self._display.show(view, self._prompt())

    def _prompt(self) -> str:
        if self._view is None:
            return ""
        return resign_question(self._view) if self._may_resign else prompt(self._view)

    async def _obey(self, line: str | None) -> bool:
        """False when the person leaves; the end of input is leaving too."""
        text = "q" if line is None else line.strip().lower()
        if text in ("q", "quit"):
            await self._unless_refused(self._table.leave())
            return False
        if self._may_resign:
            self._may_resign = False
            if text in YES:
                return await self._resign()
            if text in NO:
                self._say("The match goes on.")
                return True
        if text == "resign" and self._view is not None:
            self._ask_to_resign(self._view)
        elif text in ("?", "h", "help") and self._view is not None:
            self._display.cover(help_lines(self._view), END_HELP)
        elif self._display.shows_page and not text:
            self._display.redraw(self._prompt())
        elif self._talk.takes(text):
            await self._say_it(line or "")
        elif self._view is not None and _is_away(self._view) and not text:
            await self._unless_refused(self._table.return_to_seat())
        elif self._view is not None and self._view.my_turn and (text or nothing_fits(self._view)):
            await self._act(text, self._view)
        elif self._view is not None and says_ready(self._view):
            await self._unless_refused(self._next_round(self._view))
        elif text:
            self._say(not_now(self._view))
        else:
            self._display.redraw(self._prompt())
        return True

    async def _say_it(self, line: str) -> None:
        try:
            self._say(await self._talk.obey(line))
        except NotUnderstood as error:
            self._say(str(error))
        except Refused as refusal:
            self._say(refused(refusal))

    def _hear(self, talk: Talk | None) -> None:
        if talk is not None:
            self._display.hear(talk)
            if not self._display.shows_page:
                self._display.redraw(self._prompt())

    async def _next_round(self, view: TableView) -> int:
        if self._end_pause is not None and await self._end_pause(view):
            return self._table.version
        return await self._table.ready()

    async def _act(self, text: str, view: TableView) -> None:
        try:
            await self._answered(self._table.play(choose(text, view), view.turn))
            if self._view is view:
                self._view = view.model_copy(update={"acted": True})
        except NotUnderstood as error:
            self._say(str(error))
        except Refused as refusal:
            self._say(refused(refusal))

    async def _unless_refused(self, command: Awaitable[int]) -> None:
        await unless_refused(self._answered(command))

    async def _answered(self, command: Awaitable[int]) -> int:
        """Until then the screen is drawn again, which what was typed may have moved, and says when it takes long."""
        self._display.redraw(self._prompt())
        self._asked_at = asyncio.get_running_loop().time()
        try:
            return await command
        finally:
            self._asked_at = None

    def _trouble(self) -> str:
        late = self._asked_at is not None and asyncio.get_running_loop().time() - self._asked_at > ANSWER_SECONDS
        return lost(self._connected()) or (NO_ANSWER if late else "")

    def _ask_to_resign(self, view: TableView) -> None:
        self._may_resign = True
        if not self._display.is_screen:
            self._display.note(resign_question(view).removesuffix(" > "))
        self._display.redraw(self._prompt())

    async def _resign(self) -> bool:
        """True when there is something left to see: how a match of two ends, or why it was refused."""
        try:
            await self._answered(self._table.resign())
        except Refused as refusal:
            self._say(refused(refusal))
            return True
        return self._view is not None and len(self._view.seats) == 2

    def _say(self, text: str) -> None:
        for line in text.splitlines():
            self._display.note(line)
        self._display.redraw(self._prompt())


def _is_away(view: TableView) -> bool:
    """Whether the autopilot plays the own seat."""
    return view.my_seat is not None and view.my_seat.autopilot and not view.over
