"""A private room as its tests speak of it: who is here, who sits where, what the host does."""

from typing import Any, TypeAlias

from tests.given import Given, Then

from bus.decider import Decider
from contracts.lobby import LobbyCommand, LobbyEvent
from contracts.room import (
    HostChanged,
    MatchStarted,
    PersonAway,
    PersonEntered,
    PersonLeftRoom,
    RoomEvent,
    RoomOpened,
    RoomSeat,
)
from contracts.table import Reservation, Strength
from lobby.decider import LobbyDecider, State
from lobby.room.decide import EXPIRY_MS
from lobby.room.state import Closed, Room

decider: Decider[State, LobbyCommand, LobbyEvent] = LobbyDecider()
ROOM = "room-abc234"
NOON = 1_700_000_000_000
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
PARTY = {"preset": "party", "seats": 3}
DUEL = {"preset": "draw", "seats": 2}
InRoom: TypeAlias = Given[State, LobbyCommand, LobbyEvent]


def given(*events: RoomEvent) -> InRoom:
    return Given(decider, ROOM, events)


def opened(host: str = "ann", ruleset: dict[str, Any] = PARTY, at: int = NOON) -> RoomOpened:
    return RoomOpened(host=host, region="eu", ruleset=ruleset, at=at, expires_at=at + EXPIRY_MS)


def entered(account: str, seat: int | None = None, *, bot: bool = False) -> PersonEntered:
    return PersonEntered(account=account, bot=bot, seat=seat)


def left(account: str, *, removed: bool = False) -> PersonLeftRoom:
    return PersonLeftRoom(account=account, removed=removed)


def away(account: str, at: int = NOON) -> PersonAway:
    return PersonAway(account=account, at=at)


def host(account: str, reason: Any) -> HostChanged:
    return HostChanged(account=account, reason=reason)


def seats(*sitting: str | None) -> tuple[RoomSeat, ...]:
    """Accounts, `None` for a free seat, and strengths for bots."""
    strengths: dict[str, Strength] = {"beginner": "beginner", "normal": "normal", "expert": "expert"}
    return tuple(RoomSeat(strength=strengths[who]) if who in strengths else RoomSeat(account=who) for who in sitting)


def started(*accounts: str, table: str = "t1", ruleset: dict[str, Any] = PARTY) -> MatchStarted:
    people = tuple(Reservation(account=account) for account in accounts)
    return MatchStarted(table_id=table, ruleset=ruleset, seats=people)


def full() -> InRoom:
    """Three at a party, `ann` its host."""
    return given(opened(), entered("bob", 2), entered("cid", 3))


def playing() -> InRoom:
    return given(opened(), entered("bob", 2), entered("cid", 3), started("ann", "bob", "cid"))


def inside(given: InRoom) -> Room:
    state = given.state
    assert state is not None
    assert not isinstance(state, Closed)
    room = getattr(state, "room", None)
    assert isinstance(room, Room)
    return room


def last(then: Then[State, LobbyEvent]) -> LobbyEvent:
    assert then.decision.code == "accepted", then.decision
    return then.decision.events[-1]
