"""One authenticated socket: what it asks for, and what it is told."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from bus import telemetry
from bus.clock import BrokerTime, Clock
from bus.tasks import Tasks
from contracts.api import (
    Answer,
    ClientMessage,
    Hello,
    Ping,
    Pong,
    SocketError,
    TableRequest,
    Unwatch,
    Watch,
    Welcome,
    YourTable,
)
from contracts.envelope import OutcomeBody
from contracts.message import Message
from contracts.queue_api import FollowRoom, UnfollowRoom
from contracts.room_api import FollowPrivateRoom, Say, UnfollowPrivateRoom
from domino_rules.ruleset import PRESETS
from gateway.codes import Code
from gateway.commands import Command, Commands, Unanswered
from gateway.delay import Measure, unmeasured
from gateway.frames import Unusable, parse, request_id, socket_error, understand
from gateway.identity import Identity
from gateway.outbox import Closing, Outbox
from gateway.pace import LISTS_PER_SECOND, MESSAGES_PER_SECOND, Pace
from gateway.room_followers import RoomFollowers
from gateway.room_session import RoomDesk, RoomSession
from gateway.scope_rule import may_say
from gateway.screen_rule import EXPECTED, MAY_SAY
from gateway.tables import Tables
from gateway.whereabouts import Whereabouts

WATCHES_MAX = 8
UNANSWERED_MAX = 32


@dataclass(frozen=True, slots=True)
class Desk:
    """What every session works with."""

    tables: Tables
    whereabouts: Whereabouts
    commands: Commands
    clock: Clock
    time: BrokerTime
    tasks: Tasks
    rooms: RoomDesk
    followers: RoomFollowers
    pace: Pace


class Session:
    """Lives from the hello to the end of its socket, whose `delay` goes with its commands and whose `address` counts
    where codes are guessed. `guests` are the account by now: where one of them has a seat and the account has none, it
    is that guest's seat that is seen and played."""

    def __init__(
        self,
        identity: Identity,
        outbox: Outbox,
        desk: Desk,
        delay: Measure = unmeasured,
        address: str = "",
        guests: Iterable[str] = (),
    ) -> None:
        self.identity = identity
        self.accounts = (identity.account, *guests)
        self._outbox = outbox
        self._desk = desk
        self._delay = delay
        self._watches: set[str] = set()
        self._unanswered: dict[str, asyncio.Task[None]] = {}
        self._follows: set[str] = set()
        self._room = RoomSession(self, identity, address, desk.rooms)

    @property
    def account(self) -> str:
        return self.identity.account

    def push(self, text: str) -> None:
        self._outbox.put(text)

    def finish(self, closing: Closing) -> None:
        self._outbox.finish(closing)

    @property
    def finished(self) -> bool:
        return self._outbox.finished

    def welcome(self) -> None:
        tables = self._desk.whereabouts.tables_of(*self.accounts)
        self._say(Welcome(account=self.account, tables=tables, server_time=self._desk.time.now()))
        self._room.welcome()

    def frame(self, text: str | None) -> None:
        """One frame of the client. Never raises for what the client did, never waits."""
        try:
            payload = parse(text)
            if not self._desk.pace.messages.take(self.account):
                expected, request = f"at most {MESSAGES_PER_SECOND} messages a second", request_id(payload)
                raise Unusable(socket_error(Code.TOO_MANY_REQUESTS, "messages", expected, "more", request=request))
            self._handle(understand(payload))
        except Unusable as unusable:
            self._refuse(unusable.error)

    def merged(self, guests: frozenset[str]) -> None:
        """These are its account by now: it is told of their tables, and those that it watches are seen anew."""
        more = sorted(guests.difference(self.accounts)) if self.identity.has_guests else []
        if not more:
            return
        before, self.accounts = self.accounts, (*self.accounts, *more)
        for place in self._desk.whereabouts.tables_of(*more):
            self._say(YourTable(table_id=place.table_id, region=place.region))
        for table_id in self._watches:
            newest = self._desk.tables.newest(table_id)
            if newest is not None and newest.seat_of(*before) != newest.seat_of(*self.accounts):
                self._desk.tables.watch(table_id, self, 0)
            self._room.watch(table_id)

    def end(self) -> None:
        """The socket is gone."""
        for table_id in self._watches:
            self._desk.tables.unwatch(table_id, self)
        for preset in self._follows:
            self._desk.followers.unfollow(preset, self)
        for task in self._unanswered.values():
            task.cancel()
        self._room.end()

    def _say(self, message: Message) -> None:
        self.push(message.model_dump_json())

    def _refuse(self, error: SocketError) -> None:
        telemetry.requests_refused.add(1, {telemetry.CODE: error.code})
        self._say(error)

    def _handle(self, message: ClientMessage) -> None:
        if self.identity.screen and not isinstance(message, MAY_SAY):
            request = message.id if isinstance(message, TableRequest | Say) else None
            raise Unusable(socket_error(Code.SCREEN_ONLY, "message", EXPECTED, message.type, request=request))
        may_say(self.identity, message)
        match message:
            case Watch():
                if self.identity.screen:
                    self._room.watch_as_screen(message, self._watch)
                else:
                    self._room.must_see(message.table_id)
                    self._watch(message)
            case Unwatch(table_id=table_id):
                self._watches.discard(table_id)
                self._desk.tables.unwatch(table_id, self)
                self._room.unwatch(table_id)
            case FollowRoom(preset=preset):
                self._follow(preset)
            case UnfollowRoom(preset=preset):
                if preset in self._follows:
                    self._follows.discard(preset)
                    self._desk.followers.unfollow(preset, self)
            case FollowPrivateRoom():
                self._room.follow(message)
            case UnfollowPrivateRoom():
                self._room.unfollow()
            case Say():
                self._room.say(message)
            case TableRequest():
                self._command(message)
            case Ping(id=ping):
                self._say(Pong(id=ping, server_time=self._desk.time.now()))
            case Hello():
                raise Unusable(socket_error(Code.BAD_MESSAGE, "hello", "one hello per socket", "a second one"))
            case _:
                assert_never(message)

    def _watch(self, message: Watch) -> None:
        self._must_be_known(message.table_id)
        if message.table_id not in self._watches and len(self._watches) >= WATCHES_MAX:
            expected, table_id = f"at most {WATCHES_MAX}", message.table_id
            raise Unusable(socket_error(Code.TOO_MANY_WATCHES, "watches", expected, "one more", table_id=table_id))
        self._watches.add(message.table_id)
        self._desk.tables.watch(message.table_id, self, message.version)
        self._room.watch(message.table_id)

    def _follow(self, preset: str) -> None:
        if preset not in PRESETS:
            raise Unusable(socket_error(Code.UNKNOWN_ROOM, "preset", " or ".join(PRESETS), preset))
        if not self._desk.pace.lists.take(self.account):
            expected = f"at most {LISTS_PER_SECOND} list a second"
            raise Unusable(socket_error(Code.TOO_MANY_REQUESTS, "lists", expected, "more"))
        self._follows.add(preset)
        self._desk.followers.follow(preset, self)

    def _command(self, message: TableRequest) -> None:
        player = self._may_be_written(message)
        before = self._unanswered.pop(message.id, None)
        if before is not None:
            before.cancel()  # repeated: its one answer goes to the newest
        task = self._desk.tasks.spawn(self._ask(message, player), "command")
        self._unanswered[message.id] = task
        task.add_done_callback(lambda done: self._answered(message.id, done))

    def _answered(self, command_id: str, task: "asyncio.Task[None]") -> None:
        if self._unanswered.get(command_id) is task:
            del self._unanswered[command_id]

    async def _ask(self, message: TableRequest, player: str) -> None:
        sender = self.identity if player == self.account else replace(self.identity, account=player)
        command = Command("table", message.table_id, sender, message.id, message.command, self._delay())
        try:
            body = await self._desk.commands.ask(command)
        except Unanswered:
            expected, got = "a confirmation by the log", "none: repeat with the same id"
            self._refuse(_about(message, Code.UNKNOWN_RESULT, "command", expected, got))
        else:
            self._say(_answer(message.table_id, body))

    def _may_be_written(self, message: TableRequest) -> str:
        """In whose name. What can be refused here is not written to the log, where it would stay for ever."""
        self._must_be_known(message.table_id, message.id)
        player = self._player_at(message.table_id)
        if player is None:
            expected, got = "somebody with a seat at this table", "somebody without"
            raise Unusable(_about(message, Code.NOT_SEATED, "command", expected, got))
        if message.id not in self._unanswered and len(self._unanswered) >= UNANSWERED_MAX:
            expected = f"at most {UNANSWERED_MAX} without an answer"
            raise Unusable(_about(message, Code.TOO_MANY_REQUESTS, "commands", expected, "one more"))
        return player

    def _player_at(self, table_id: str) -> str | None:
        """As whom it plays there: the account itself, or a guest of it; None for a stranger."""
        newest = self._desk.tables.newest(table_id)
        if newest is not None:
            return next((account for account in self.accounts if newest.seat_of(account) is not None), None)
        whereabouts = self._desk.whereabouts  # nobody watches it here
        player = whereabouts.player_at(table_id, self.accounts)
        return self.account if player is None and not whereabouts.is_stranger(self.account, table_id) else player

    def _must_be_known(self, table_id: str, request: str | None = None) -> None:
        if table_id not in self._desk.tables:
            expected = "the id of a table"
            error = socket_error(Code.UNKNOWN_TABLE, "table_id", expected, table_id, request=request, table_id=table_id)
            raise Unusable(error)


def _about(message: TableRequest, code: str, what: str, expected: str, got: str) -> SocketError:
    return socket_error(code, what, expected, got, request=message.id, table_id=message.table_id)


def _answer(table_id: str, body: OutcomeBody) -> Answer:
    trouble = body.refusal or body.fault
    return Answer(
        id=body.command_id,
        table_id=table_id,
        version=body.version,
        code=trouble.code if trouble else None,
        message=trouble.message if trouble else None,
        expected=body.refusal.expected if body.refusal else "",
        got=body.refusal.got if body.refusal else "",
    )
