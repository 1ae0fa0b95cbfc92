"""One private room as the people in it see it, folded from its events. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import assert_never

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
    RoomEvents,
    RoomOpened,
    RoomReleased,
    RoomSeat,
    RulesetChosen,
    SeatsArranged,
)
from contracts.room_api import PersonInRoom, PrivateRoom, SeatInRoom
from contracts.table import RulesetOptions


@dataclass(frozen=True, slots=True)
class InRoom:
    """Somebody who is in the room, with or without a seat."""

    bot: bool = False
    away: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """`owner` is whom `host` stands in for; the same person as long as the owner is here. `people` came in this order,
    `removed` may not come back. `table_id` is of the running match, or of the last one; `starting` of the one that
    waits for house bots."""

    code: str
    host: str
    owner: str
    ruleset: RulesetOptions
    people: dict[str, InRoom]
    seats: tuple[RoomSeat, ...]
    removed: tuple[str, ...] = ()
    table_id: str | None = None
    running: bool = False
    starting: str | None = None
    bots_missing: bool = False
    not_opened: bool = False
    closed: bool = False
    version: int = 0


def evolve(room: Room | None, event: RoomEvents, code: str) -> Room | None:
    """The room after `event`; None when there is none, or one that has been forgotten since it was closed."""
    match event:
        case RoomOpened():
            seats = (RoomSeat(account=event.host), *(FREE,) * (event.ruleset["seats"] - 1))
            return Room(code, event.host, event.host, event.ruleset, {event.host: InRoom(event.bot)}, seats)
        case Retired():
            return None
    if room is None:
        return None
    match event:
        case PersonEntered():
            return _entered(room, event)
        case PersonLeftRoom():
            return _left(room, event)
        case RulesetChosen():
            return replace(room, ruleset=event.ruleset, seats=event.seats, bots_missing=False, not_opened=False)
        case SeatsArranged():
            return replace(room, seats=event.seats, bots_missing=False, not_opened=False)
        case HostChanged():
            owner = room.owner if event.reason == "away" else event.account
            return replace(room, host=event.account, owner=owner)
        case PersonAway(account=account):
            return replace(room, people=_changed(room, account, away=True))
        case PersonBack(account=account):
            return replace(room, people=_changed(room, account, away=False))
        case BotsWanted():
            return replace(room, starting=event.table_id, bots_missing=False, not_opened=False)
        case BotsMissing():
            return replace(room, starting=None, bots_missing=True) if room.starting == event.table_id else room
        case MatchStarted():
            room = replace(room, bots_missing=False, not_opened=False)
            return replace(room, table_id=event.table_id, running=True, starting=None)
        case RoomReleased():
            return _released(room, event) if room.table_id == event.table_id else room
        case RoomClosed():
            return replace(room, closed=True)
        case PauseEnded() | ExpiryPutOff():
            return room
        case _:
            assert_never(event)


def _released(room: Room, event: RoomReleased) -> Room:
    if event.not_opened is None:
        return replace(room, running=False)
    return replace(room, running=False, table_id=None, not_opened=True)


def _entered(room: Room, event: PersonEntered) -> Room:
    seats = _without(room.seats, event.account)
    if event.seat is not None:
        seats = (*seats[: event.seat - 1], RoomSeat(account=event.account), *seats[event.seat :])
    return replace(room, people=room.people | {event.account: InRoom(event.bot)}, seats=seats)


def _left(room: Room, event: PersonLeftRoom) -> Room:
    people = {account: person for account, person in room.people.items() if account != event.account}
    removed = (*room.removed, event.account)[-REMOVED_MAX:] if event.removed else room.removed
    return replace(room, people=people, seats=_without(room.seats, event.account), removed=removed)


def _without(seats: tuple[RoomSeat, ...], account: str) -> tuple[RoomSeat, ...]:
    return tuple(FREE if seat.account == account else seat for seat in seats)


def _changed(room: Room, account: str, *, away: bool) -> dict[str, InRoom]:
    person = room.people.get(account)
    return room.people if person is None else room.people | {account: replace(person, away=away)}


def fold(room: Room | None, code: str, events: Iterable[RoomEvents], version: int) -> Room | None:
    """The room at `version`, after an outcome's events."""
    for event in events:
        room = evolve(room, event, code)
    return replace(room, version=version) if room is not None else None


def view(room: Room, name_of: Callable[[str], str], screens: int, link: str | None = None) -> PrivateRoom:
    """The room as everybody in it is shown it."""
    return PrivateRoom(
        code=room.code,
        link=link,
        version=room.version,
        host=room.host,
        owner=room.owner,
        ruleset=room.ruleset,
        people=tuple(
            PersonInRoom(account=account, name=name_of(account), bot=person.bot, away=person.away)
            for account, person in room.people.items()
        ),
        seats=tuple(
            SeatInRoom(seat=number, account=seat.account, strength=seat.strength)
            for number, seat in enumerate(room.seats, start=1)
        ),
        table_id=room.table_id,
        running=room.running,
        starting=room.starting is not None,
        closed=room.closed,
        screens=screens,
        bots_missing=room.bots_missing,
        not_opened=room.not_opened,
    )
