"""Coming into a private room and going out of it."""

import re

from bus.decider import Context
from contracts.room import (
    CODE_LETTERS,
    CODE_PATTERN,
    PEOPLE_MAX,
    OpenRoom,
    PersonAway,
    PersonBack,
    PersonEntered,
    PersonLeftRoom,
    RoomClosed,
    RoomEvent,
    RoomOpened,
    RoomSeat,
    SeatsArranged,
    code_of,
    room_of,
)
from domino_rules.ruleset import RulesetError
from lobby.refusals import refusal
from lobby.room import options
from lobby.room.matches import give_up_start
from lobby.room.results import Result, refuse_stranger
from lobby.room.state import Gathering, OpenState, RoomState


def open_room(state: RoomState | None, command: OpenRoom, context: Context, expiry_ms: int) -> Result:
    """A new room, by a code that no room has or has had of late. One that is retired by this very command was there a
    moment ago."""
    code = code_of(context.aggregate) or ""
    if re.fullmatch(CODE_PATTERN, code) is None or context.aggregate != room_of(code):
        return refusal("bad-code", "no room has such a code", f"six of {CODE_LETTERS}", context.aggregate)
    if state is not None or context.timed_out is not None:
        return refusal("code-taken", "the code is taken", "a code that no room has had for 30 days", "one of a room")
    if code_of(command.region) is not None:
        return refusal("bad-region", "a room is in no other", "a region", "a private room")
    try:
        ruleset = options.ruleset_of(command.ruleset)
    except RulesetError as error:
        return options.refuse(error)
    return [
        RoomOpened(
            host=context.principal,
            region=command.region,
            ruleset={**command.ruleset, "seats": ruleset.seats},
            at=context.at,
            expires_at=context.deadlines_from + expiry_ms,
            bot=command.bot,
        )
    ]


def enter(state: OpenState, account: str, *, bot: bool) -> Result:
    """Whoever is here already is back, and gets a seat that has become free."""
    room = state.room
    if account in room.removed:
        return refusal("removed", "the host has removed you from this room", "somebody who was not", "you")
    if room.person(account) is not None:
        return [*_back(state, account), *_seated(state, account)]
    if len(room.people) >= PEOPLE_MAX:
        return refusal("room-full", "the room is full", f"fewer than {PEOPLE_MAX} people", str(len(room.people)))
    free = room.free_seats if isinstance(state, Gathering) else ()
    return [PersonEntered(account=account, bot=bot, seat=free[0] if free else None)]


def leave(state: OpenState, account: str, at: int) -> Result:
    """Of somebody in the room; the last one's leaving closes it. A match that waits for its bots does not start without
    one of its people; one that runs goes on."""
    room = state.room
    is_last = len(room.people) == 1
    given_up = give_up_start(state) if is_last or room.is_seated(account) else []
    events = [PersonLeftRoom(account=account), *given_up]
    return [*events, RoomClosed(at=at)] if is_last else events


def go_away(state: OpenState, account: str, at: int) -> Result:
    """The connection is gone, as of log time `at` (ms); the person keeps everything."""
    person = state.room.person(account)
    if person is None:
        return refuse_stranger(state.room, account) or []
    return [] if person.away_at is not None else [PersonAway(account=account, at=at)]


def come_back(state: OpenState, account: str) -> Result:
    return refuse_stranger(state.room, account) or _back(state, account)


def _back(state: OpenState, account: str) -> list[RoomEvent]:
    person = state.room.person(account)
    return [] if person is None or person.away_at is None else [PersonBack(account=account)]


def _seated(state: OpenState, account: str) -> list[RoomEvent]:
    room = state.room
    if not isinstance(state, Gathering) or room.is_seated(account) or not room.free_seats:
        return []
    seats = list(room.seats)
    seats[room.free_seats[0] - 1] = RoomSeat(account=account)
    return [SeatsArranged(seats=tuple(seats))]
