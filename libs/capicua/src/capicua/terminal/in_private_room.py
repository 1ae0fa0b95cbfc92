"""A private room, as the people in it see it between two matches."""

from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing

from rich.text import Text

from capicua.client import Client
from capicua.errors import Refused
from capicua.merged import merged
from capicua.private_room import Room
from capicua.terminal.page import Page
from capicua.terminal.qr import qr_lines
from capicua.terminal.room_keys import HELP, deed
from capicua.terminal.room_page import names_in, room_lines, state_words, talk_lines, way_in_lines, way_in_page
from capicua.terminal.waiting import LEAVE
from capicua.terminal.words import Words, heard_words
from contracts.room_api import PrivateRoom, Talk

TALK_SHOWN = 5
ROOM_LINES = 16
"""What the page needs besides the picture of the link."""
HELP_KEYS = ("?", "h", "help")


class InPrivateRoom:
    def __init__(self, client: Client, room: Room, page: Page, program: str) -> None:
        self._room = room
        self._account = client.account
        self._words = Words(client, room.say, lambda text: room.say(text=text))
        self._page = page
        self._program = program
        self._view: PrivateRoom | None = None
        self._talk: deque[Talk] = deque(maxlen=TALK_SHOWN)
        self._newest: PrivateRoom | Talk | None = None
        self._cover: list[Text] = []
        self._is_starting = False
        self._was_inside = False

    def cover(self, lines: list[Text]) -> None:
        """Something to read first, such as how a match has ended; Enter leads to the room."""
        self._cover = lines

    async def news(self) -> AsyncGenerator[None, None]:
        """Raises `Refused` when the room is closed, or one is not in it any more."""
        self._is_starting = False
        told: AsyncGenerator[PrivateRoom | Talk, None] = merged(self._room.views(), self._room.talk())
        async with aclosing(told):
            async for newest in told:
                self._newest = newest
                if isinstance(newest, Talk):
                    self._talk.append(newest)
                else:
                    self._take(newest)
                yield

    @property
    def takes_lines(self) -> bool:
        """In a pipe what follows `start` is for the table."""
        return self._view is not None and (self._page.is_screen or not (self._is_starting or self._view.running))

    def heading(self) -> str:
        return f"Private room {self._room.code}"

    def lines(self) -> list[Text]:
        view = self._view
        if view is None:
            return []
        if self._cover:
            return self._cover
        return [
            *way_in_page(self._room.link, self._play, self._page, ROOM_LINES),
            Text(),
            *room_lines(view, self._account),
            Text(),
            Text(state_words(view), "bold"),
            *self._look_on(view),
            *talk_lines(self._talk)[-TALK_SHOWN:],
        ]

    def plain(self) -> str:
        if isinstance(self._newest, Talk):
            return heard_words(self._newest)
        if self._view is None:
            return ""
        seats = [line.plain.strip() for line in room_lines(self._view, self._account)]
        return (
            f"Room {self._room.code}: {state_words(self._view)} {'; '.join(' '.join(seat.split()) for seat in seats)}"
        )

    def as_json(self) -> str:
        return "" if self._newest is None else self._newest.model_dump_json()

    def question(self) -> str:
        if self._view is None:
            return ""
        if self._cover:
            return "Enter: back to the room > "
        is_host = self._view.host == self._account
        return f"{'start, bots, seat, play, ' if is_host else ''}say, qr, ? help, q leave > "

    async def obey(self, line: str) -> str | None:
        text, self._cover = line.strip(), []
        if not text or self._view is None:
            return ""
        if text in LEAVE:
            await self._room.leave()
            return None
        if text in HELP_KEYS:
            self._cover = [Text(line) for line in HELP.splitlines()]
            return "" if self._page.is_screen else HELP
        if text == "qr":
            picture = qr_lines(self._room.link, color=self._page.has_colors)
            self._cover = [*way_in_lines(self._room.link, self._play), *picture]
            return ""
        if self._words.takes(text):
            return await self._words.obey(text, names_in(self._view))
        await deed(text, self._room, self._view)()
        self._is_starting = text == "start"
        return ""

    @property
    def _play(self) -> str:
        return f"{self._program} play --room {self._room.code}"

    def _take(self, view: PrivateRoom) -> None:
        fails = view.bots_missing or view.not_opened
        if self._view is not None and fails and not (self._view.bots_missing or self._view.not_opened):
            self._is_starting = False
        self._view = view
        if view.closed:
            raise Refused("room-closed", "the room is closed: its last person has left, or nothing was done for a day")
        is_inside = self._account in {person.account for person in view.people}
        if self._was_inside and not is_inside:
            raise Refused("not-in-room", "you are not in this room any more")
        self._was_inside = is_inside  # whoever has just entered may be shown the room without them yet

    def _look_on(self, view: PrivateRoom) -> list[Text]:
        seated = self._account in {seat.account for seat in view.seats}
        if not view.running or view.table_id is None or seated:
            return []
        return [Text.assemble("Look on by  ", (f"{self._program} watch {view.table_id}", "green"))]
