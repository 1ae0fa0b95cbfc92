"""All private rooms that are open, folded from the lobby's log, and who here follows one."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bus import telemetry
from bus.tasks import Tasks
from contracts.message import tags
from contracts.room import RoomEvent, RoomEvents, code_of
from contracts.room_api import PrivateRoom
from gateway.bells import Bells
from gateway.codes import Code
from gateway.frames import socket_error
from gateway.links import Links
from gateway.names import Names
from gateway.private_room import Room, fold, view
from gateway.screens import Screens, room_bell
from gateway.talk import PAST_MAX, Listener, Place, Talks

log = logging.getLogger(__name__)
_events: TypeAdapter[RoomEvents] = TypeAdapter(RoomEvent)
_tags = frozenset(tags(RoomEvent))


class _Followed:
    """A room that somebody here follows: each follower with what it was told last, and who of them hears its talk."""

    def __init__(self, room: Room, rung: Callable[["_Followed"], None]) -> None:
        self.room = room
        self.told: dict[Listener, str] = {}
        self.hearing: set[Listener] = set()
        self.changed = False
        self.telling: asyncio.Task[None] | None = None
        self.place = place_of(room.code, lambda account: account in self.room.people)
        self.rung = lambda _: rung(self)


class PrivateRooms:
    """Followers are shown the whole room after each change; who was removed is not. A closed room leaves memory."""

    def __init__(self, names: Names, screens: Screens, talks: Talks, bells: Bells, links: Links, tasks: Tasks) -> None:
        self._names = names
        self._screens = screens
        self._talks = talks
        self._bells = bells
        self._links = links
        self._tasks = tasks
        self._rooms: dict[str, Room] = {}
        self._codes_of: dict[str, dict[str, None]] = {}
        self._unopened: dict[str, str] = {}
        self._followed: dict[str, _Followed] = {}
        names.on_change(self._renamed)

    # ---- the log

    def take(self, aggregate: str, version: int, payloads: Iterable[dict[str, Any]]) -> None:
        """The next change of a room. Events that this version does not know are passed over."""
        code = code_of(aggregate)
        assert code is not None
        try:
            events = [_events.validate_python(payload) for payload in payloads if payload.get("type") in _tags]
            room = fold(self._rooms.get(code), code, events, version)
        except (ValidationError, LookupError, TypeError) as error:
            self._cannot_read(code, type(error).__name__)
            return
        self._keep(code, room if room is not None and not room.closed else None)
        followed = self._followed.get(code)
        if followed is not None and room is not None:
            followed.room = room
            self._tell(followed)

    def _keep(self, code: str, room: Room | None) -> None:
        before = self._rooms.pop(code, None)
        if room is not None:
            self._rooms[code] = room
        if room is not None and room.running and room.table_id is not None:
            if before is None or not before.running:
                self._unopened[room.table_id] = code
        elif before is not None and before.table_id is not None:
            self._unopened.pop(before.table_id, None)
        were, are = before.people if before is not None else {}, room.people if room is not None else {}
        for account in are.keys() - were.keys():
            self._codes_of.setdefault(account, {})[code] = None
        for account in were.keys() - are.keys():
            del self._codes_of[account][code]
            if not self._codes_of[account]:
                del self._codes_of[account]

    def _cannot_read(self, code: str, kind: str) -> None:
        """The room goes on without being seen here."""
        log.error("a private room cannot be read", extra={"fields": {"kind": kind}})
        telemetry.alarms.add(1, {"kind": Code.ROOM_UNREADABLE})
        self._keep(code, None)
        followed = self._followed.get(code)
        for follower in list(followed.told) if followed is not None else ():
            expected, got = "events that this version knows", kind
            follower.push(socket_error(Code.ROOM_UNREADABLE, "private room", expected, got).model_dump_json())
            self.unfollow(code, follower)

    def opened(self, table_id: str) -> None:
        """The table is there to be watched; a room shows its match as starting until then."""
        code = self._unopened.pop(table_id, None)
        followed = self._followed.get(code) if code is not None else None
        if followed is not None:
            self._tell(followed)

    # ---- people

    def find(self, code: str) -> Room | None:
        """The open room with this code."""
        return self._rooms.get(code)

    @property
    def people(self) -> Iterable[str]:
        """Everybody who is in a room."""
        return self._codes_of

    def rooms_of(self, account: str) -> list[Room]:
        """The open rooms that somebody is in."""
        return [self._rooms[code] for code in self._codes_of.get(account, ())]

    async def shown(self, room: Room) -> PrivateRoom:
        """The room as everybody in it is shown it."""
        await self._names.learn(room.people)
        if room.table_id in self._unopened:
            room = replace(room, table_id=None, running=False, starting=room.table_id)
        return view(room, self._names.name_of, await self._screens.count(room.code), self._links.public(room.code))

    def follow(self, room: Room, follower: Listener) -> None:
        """From now on `follower`, who may, is told how the room stands, whenever that changes."""
        followed = self._followed.get(room.code)
        if followed is None:
            followed = self._followed[room.code] = _Followed(room, self._tell)
            self._bells.listen(room_bell(room.code), followed.rung)
        followed.told[follower] = ""
        self._tell(followed)

    def unfollow(self, code: str, follower: Listener) -> None:
        followed = self._followed.get(code)
        if followed is None:
            return
        followed.told.pop(follower, None)
        self._hear_no_more(followed, follower)
        if not followed.told:
            del self._followed[code]
            self._bells.leave(room_bell(code), followed.rung)

    # ---- telling

    def _tell(self, followed: _Followed) -> None:
        followed.changed = True
        if followed.telling is None or followed.telling.done():
            followed.telling = self._tasks.spawn(self._tell_all(followed), "private-room")

    async def _tell_all(self, followed: _Followed) -> None:
        """The room as it is by then, once, however many changes came meanwhile."""
        while followed.changed:
            followed.changed = False
            room = followed.room
            text = (await self.shown(room)).model_dump_json()
            for follower, told in list(followed.told.items()):
                if follower.account in room.removed:
                    follower.push(_removed(room.code))
                    self.unfollow(room.code, follower)
                elif told != text and follower in followed.told:
                    followed.told[follower] = text
                    follower.push(text)
            await self._let_hear(followed)
            if room.closed:
                for follower in list(followed.told):
                    self.unfollow(room.code, follower)

    async def _let_hear(self, followed: _Followed) -> None:
        """Who is in the room hears its talk, and first what was said before; who has left it does not."""
        for follower in list(followed.told):
            inside = follower in followed.told and follower.account in followed.room.people
            if inside and follower not in followed.hearing:
                followed.hearing.add(follower)
                await self._talks.listen(followed.place, follower, PAST_MAX)
            elif not inside:
                self._hear_no_more(followed, follower)

    def _hear_no_more(self, followed: _Followed, follower: Listener) -> None:
        if follower in followed.hearing:
            followed.hearing.discard(follower)
            self._talks.leave(followed.place, follower)

    def _renamed(self, account: str) -> None:
        for followed in self._followed.values():
            if not account or account in followed.room.people:
                self._tell(followed)


def place_of(code: str, hears: Callable[[str], bool]) -> Place:
    """The room as a place to talk."""
    return Place(f"room:{code}", hears, code=code)


def _removed(code: str) -> str:
    expected, got = "somebody who may come in", "somebody whom the host has removed"
    return socket_error(Code.REMOVED, f"private room {code}", expected, got).model_dump_json()
