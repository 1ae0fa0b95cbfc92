"""The states of a private room, one shape each, as a fold of its events: Gathering, Starting, Playing, Closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, assert_never

from contracts.envelope import Retired
from contracts.room import (
    FREE,
    REMOVED_MAX,
    BotsMissing,
    BotsWanted,
    ExpiryPutOff,
    HostChanged,
    MatchStarted,
    PauseEnded,
    PersonAway,
    PersonBack,
    PersonEntered,
    PersonLeftRoom,
    RoomClosed,
    RoomEvent,
    RoomOpened,
    RoomReleased,
    RoomSeat,
    RulesetChosen,
    SeatsArranged,
)
from contracts.table import Strength


@dataclass(frozen=True, slots=True)
class PersonHere:
    """`away_at` (log ms) is None for whoever is connected."""

    account: str
    bot: bool = False
    away_at: int | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """What a room has until it is closed. `people` stand in the order in which they came; `host` decides, and stands in
    for `owner` while both differ. `expires_at` is in log ms."""

    region: str
    ruleset: Mapping[str, Any]
    host: str
    owner: str
    people: tuple[PersonHere, ...]
    seats: tuple[RoomSeat, ...]
    expires_at: int
    removed: tuple[str, ...] = ()

    def person(self, account: str) -> PersonHere | None:
        return next((person for person in self.people if person.account == account), None)

    def is_seated(self, account: str) -> bool:
        return any(seat.account == account for seat in self.seats)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """Their numbers."""
        return tuple(number for number, seat in enumerate(self.seats, start=1) if seat == FREE)


@dataclass(frozen=True, slots=True)
class Gathering:
    """No match runs: people come, go and are given seats."""

    room: Room


@dataclass(frozen=True, slots=True)
class Starting:
    """The match waits for house bots of these strengths, until `due_at` (log ms)."""

    room: Room
    table_id: str
    strengths: tuple[Strength, ...]
    due_at: int


@dataclass(frozen=True, slots=True)
class Playing:
    """A match runs at that table, with house bots that are `lent` or without."""

    room: Room
    table_id: str
    lent: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """Nobody comes in any more; the code is not free yet. `table_id` is that of a match that still runs."""

    region: str
    closed_at: int
    table_id: str | None = None
    lent: bool = False


OpenState: TypeAlias = Gathering | Starting | Playing
RoomState: TypeAlias = OpenState | Closed


def evolve(state: RoomState | None, event: RoomEvent) -> RoomState:
    """The room after `event`; a room begins with its opening."""
    if isinstance(event, RoomOpened):
        return _opened(event)
    assert state is not None
    if isinstance(state, Closed):
        over = isinstance(event, RoomReleased) and event.table_id == state.table_id
        return Closed(state.region, state.closed_at) if over else state
    match event:
        case BotsWanted():
            return Starting(state.room, event.table_id, event.strengths, event.due_at)
        case MatchStarted():
            return Playing(state.room, event.table_id, any(seat.strength is not None for seat in event.seats))
        case BotsMissing():
            over = isinstance(state, Starting) and event.table_id == state.table_id
            return Gathering(state.room) if over else state
        case RoomReleased():
            over = isinstance(state, Playing) and event.table_id == state.table_id
            return Gathering(state.room) if over else state
        case RoomClosed():
            return _closed(state, event.at)
        case PauseEnded() | Retired():
            return state
        case _:
            return replace(state, room=_room_after(state.room, event))


def _opened(event: RoomOpened) -> Gathering:
    free = (FREE,) * (event.ruleset["seats"] - 1)
    room = Room(
        region=event.region,
        ruleset=event.ruleset,
        host=event.host,
        owner=event.host,
        people=(PersonHere(event.host, event.bot),),
        seats=(RoomSeat(account=event.host), *free),
        expires_at=event.expires_at,
    )
    return Gathering(room)


def _closed(state: OpenState, at: int) -> Closed:
    if isinstance(state, Playing):
        return Closed(state.room.region, at, state.table_id, state.lent)
    return Closed(state.room.region, at)


def _room_after(
    room: Room,
    event: PersonEntered
    | PersonLeftRoom
    | RulesetChosen
    | SeatsArranged
    | HostChanged
    | PersonAway
    | PersonBack
    | ExpiryPutOff,
) -> Room:
    match event:
        case PersonEntered():
            return _enter(room, event)
        case PersonLeftRoom():
            return _leave(room, event)
        case RulesetChosen():
            return replace(room, ruleset=event.ruleset, seats=event.seats)
        case SeatsArranged():
            return replace(room, seats=event.seats)
        case HostChanged():
            owner = room.owner if event.reason == "away" else event.account
            return replace(room, host=event.account, owner=owner)
        case PersonAway():
            return _with_away_at(room, event.account, event.at)
        case PersonBack():
            return _with_away_at(room, event.account, None)
        case ExpiryPutOff():
            return replace(room, expires_at=event.expires_at)
        case _:
            assert_never(event)


def _enter(room: Room, event: PersonEntered) -> Room:
    people = (*room.people, PersonHere(event.account, event.bot))
    if event.seat is None:
        return replace(room, people=people)
    seats = (*room.seats[: event.seat - 1], RoomSeat(account=event.account), *room.seats[event.seat :])
    return replace(room, people=people, seats=seats)


def _leave(room: Room, event: PersonLeftRoom) -> Room:
    return replace(
        room,
        people=tuple(person for person in room.people if person.account != event.account),
        seats=tuple(FREE if seat.account == event.account else seat for seat in room.seats),
        removed=(*room.removed, event.account)[-REMOVED_MAX:] if event.removed else room.removed,
    )


def _with_away_at(room: Room, account: str, away_at: int | None) -> Room:
    people = tuple(replace(each, away_at=away_at) if each.account == account else each for each in room.people)
    return replace(room, people=people)
