"""The part of a session that follows a private room, listens to talk and says something."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from bus import telemetry
from bus.tasks import Tasks
from contracts.api import SocketError, Watch
from contracts.names import clean
from contracts.room import code_of
from contracts.room_api import TEXT_CHARACTERS_MAX, FollowPrivateRoom, Said, Say, ScreenPaired
from gateway.admission import Admission
from gateway.codes import Code
from gateway.frames import Unusable, socket_error
from gateway.identity import Identity
from gateway.private_rooms import PrivateRooms, place_of
from gateway.problems import ProblemError, problem
from gateway.screens import Screens
from gateway.tables import Tables
from gateway.talk import SAID_MAX, SAID_MS, Listener, Place, Talks, TalkUnavailable, TooMuchTalk
from gateway.whereabouts import Whereabouts

SAYINGS_MAX = 16


@dataclass(frozen=True, slots=True)
class RoomDesk:
    """What every session's rooms and talk work with."""

    rooms: PrivateRooms
    admission: Admission
    screens: Screens
    talks: Talks
    tables: Tables
    whereabouts: Whereabouts
    tasks: Tasks


class RoomSession:
    """Follows one room at a time, with what `identity` may see from `address`; `session` is its socket."""

    def __init__(self, session: Listener, identity: Identity, address: str, desk: RoomDesk) -> None:
        self._session = session
        self._identity = identity
        self._address = address
        self._desk = desk
        self._code: str | None = None
        self._paired_with: str | None = None
        self._tables: dict[str, tuple[Place, asyncio.Task[None]]] = {}
        self._following: asyncio.Task[None] | None = None
        self._sayings: list[Say] = []
        self._speaking: asyncio.Task[None] | None = None
        self._working: set[asyncio.Task[None]] = set()

    def welcome(self) -> None:
        """A screen is told as soon as it is paired, and after its welcome if it is."""
        if self._identity.screen:
            self._desk.screens.listen(self._identity.account, self._perhaps_paired)
            self._perhaps_paired("")

    def end(self) -> None:
        """The socket is gone."""
        self.unfollow()
        for table_id in list(self._tables):
            self.unwatch(table_id)
        for task in self._working:
            task.cancel()
        if self._identity.screen:
            self._desk.screens.leave(self._identity.account, self._perhaps_paired)

    # ---- a private room

    def follow(self, message: FollowPrivateRoom) -> None:
        self.unfollow()
        self._following = self._spawn(self._follow(message.code))

    def unfollow(self) -> None:
        if self._following is not None:
            self._following.cancel()
        if self._code is not None:
            self._desk.rooms.unfollow(self._code, self._session)
            self._code = None

    async def _follow(self, code: str | None) -> None:
        wanted = code
        if wanted is None and self._identity.screen:
            wanted = await self._desk.admission.room_shown_by(self._identity)
            if wanted is None:
                raise problem(409, Code.NOT_PAIRED, "screen", "a paired one", "one that waits for somebody to pair it")
        if wanted is None:
            raise problem(422, Code.BAD_MESSAGE, "code", "the code of a room", "nothing")
        room = await self._desk.admission.admit(self._identity, self._address, wanted)
        self._code = wanted
        self._desk.rooms.follow(room, self._session)

    def must_see(self, table_id: str) -> None:
        """The running table of a private room is for those who play there or are in the room. Raises `Unusable`."""
        code = code_of(self._desk.whereabouts.region_of(table_id) or "")
        if code is None or self._desk.whereabouts.player_at(table_id, self._session.accounts) is not None:
            return
        room = self._desk.rooms.find(code)
        if room is None or self._session.account not in room.people:
            expected, got = "somebody in the table's private room", "somebody else"
            raise Unusable(socket_error(Code.NOT_IN_ROOM, "table_id", expected, got, table_id=table_id))

    # ---- screens

    def watch_as_screen(self, message: Watch, watch: Callable[[Watch], None]) -> None:
        """`watch` is called if the table is the one of the screen's room."""
        self._spawn(self._watch_as_screen(message, watch))

    async def _watch_as_screen(self, message: Watch, watch: Callable[[Watch], None]) -> None:
        code = await self._desk.admission.room_shown_by(self._identity)
        room = self._desk.rooms.find(code) if code is not None else None
        if room is None or room.table_id != message.table_id:
            raise problem(403, Code.SCREEN_ONLY, "table_id", "the table of the screen's room", "another one")
        watch(message)

    def _perhaps_paired(self, _: str) -> None:
        self._spawn(self._tell_pairing())

    async def _tell_pairing(self) -> None:
        code = await self._desk.admission.room_shown_by(self._identity)
        if code is not None and code != self._paired_with:
            self._paired_with = code
            self._session.push(ScreenPaired(code=code).model_dump_json())

    # ---- talk

    def watch(self, table_id: str) -> None:
        """The session watches a table: with a seat there it hears what is said."""
        if table_id in self._tables or self._player_at(table_id) is None:
            return
        place = self._at_table(table_id)
        self._tables[table_id] = place, self._spawn(self._desk.talks.listen(place, self._session))

    def unwatch(self, table_id: str) -> None:
        if table_id in self._tables:
            place, listening = self._tables.pop(table_id)
            listening.cancel()
            self._desk.talks.leave(place, self._session)

    def say(self, message: Say) -> None:
        """Without an id answered with an error only: what was said comes back as everybody hears it."""
        if (message.table_id is None) == (message.code is None):
            raise _unusable(message, Code.BAD_MESSAGE, "place", "table_id or code", "both or neither")
        if (message.phrase is None) == (message.text is None):
            raise _unusable(message, Code.BAD_MESSAGE, "words", "phrase or text", "both or neither")
        if len(self._sayings) >= SAYINGS_MAX:
            raise _unusable(message, Code.TOO_MUCH_TALK, "say", f"at most {SAYINGS_MAX} at once", "one more")
        self._sayings.append(message)
        if self._speaking is None or self._speaking.done():
            self._speaking = self._spawn(self._speak())

    async def _speak(self) -> None:
        """One after the other: what was said first is heard first."""
        while self._sayings:
            message = self._sayings.pop(0)
            await self._or_say_why(self._say(message), message.table_id, message.id)

    async def _say(self, message: Say) -> None:
        place = await self._place(message)
        text = clean(message.text) if message.text is not None else None
        if text == "":
            raise problem(422, Code.BAD_MESSAGE, "text", "something that can be seen", "nothing of that kind")
        if text is not None and len(text) > TEXT_CHARACTERS_MAX:  # some are several, once they are composed
            expected, got = f"at most {TEXT_CHARACTERS_MAX} characters, composed", str(len(text))
            raise problem(422, Code.BAD_MESSAGE, "text", expected, got)
        try:
            account = self._session.account
            by = account if message.table_id is None else self._player_at(message.table_id) or account
            await self._desk.talks.say(by, place, message.phrase, text, message.id, person=account)
        except TooMuchTalk:
            expected = f"at most {SAID_MAX} things in {SAID_MS // 1000} s"
            raise problem(429, Code.TOO_MUCH_TALK, "say", expected, "one more") from None
        except TalkUnavailable:
            raise problem(503, Code.TALK_UNAVAILABLE, "say", "to pass it on", "no answer: try again") from None
        if message.id is not None:
            self._session.push(Said(id=message.id).model_dump_json())

    async def _place(self, message: Say) -> Place:
        if message.table_id is None:
            assert message.code is not None
            room = await self._desk.admission.admit_inside(self._identity, self._address, message.code)
            return place_of(room.code, lambda _: True)
        if message.text is not None:
            raise problem(403, Code.TEXT_NOT_HERE, "text", "a phrase, or a private room", "free text at a table")
        if self._player_at(message.table_id) is None:
            raise problem(403, Code.NOT_SEATED, "table_id", "somebody with a seat at this table", "somebody without")
        return self._at_table(message.table_id)

    def _at_table(self, table_id: str) -> Place:
        return Place(f"table:{table_id}", lambda account: self._sits(account, table_id), table_id=table_id)

    def _player_at(self, table_id: str) -> str | None:
        return next((account for account in self._session.accounts if self._sits(account, table_id)), None)

    def _sits(self, account: str, table_id: str) -> bool:
        """Also at a table that is over, as long as somebody here watches it."""
        newest = self._desk.tables.newest(table_id)
        if newest is None:
            return self._desk.whereabouts.sits(account, table_id)
        return newest.seat_of(account) is not None

    # ---- what takes a moment

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = self._desk.tasks.spawn(self._or_say_why(work), "room-session")
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        task.add_done_callback(lambda _: work.close())  # cancelled before it began
        return task

    async def _or_say_why(
        self, work: Coroutine[Any, Any, None], table_id: str | None = None, request: str | None = None
    ) -> None:
        try:
            await work
        except Unusable as unusable:
            self._refuse(unusable.error)
        except ProblemError as error:
            no = error.problem
            said = SocketError(
                code=no.code, message=no.detail, expected=no.expected, got=no.got, id=request, table_id=table_id
            )
            self._refuse(said)

    def _refuse(self, error: SocketError) -> None:
        telemetry.requests_refused.add(1, {telemetry.CODE: error.code})
        self._session.push(error.model_dump_json())


def _unusable(message: Say, code: str, what: str, expected: str, got: str) -> Unusable:
    return Unusable(socket_error(code, what, expected, got, request=message.id))
