"""What the host of a private room may do while no match runs, and handing the rights over."""

from collections.abc import Mapping, Sequence
from typing import Any

from contracts.envelope import Refusal
from contracts.room import (
    FREE,
    HostChanged,
    PersonLeftRoom,
    RoomSeat,
    RulesetChosen,
    SeatsArranged,
)
from domino_rules.ruleset import RulesetError
from lobby.refusals import refusal
from lobby.room import options
from lobby.room.results import Result, refuse_during_match, refuse_guest, refuse_stranger
from lobby.room.state import OpenState, Room


def choose_ruleset(state: OpenState, principal: str, chosen: Mapping[str, Any]) -> Result:
    """Seats that are no more give their people up; those that come are for who stands there, the first come first."""
    refused = refuse_guest(state.room, principal) or refuse_during_match(state)
    if refused is not None:
        return refused
    try:
        count = options.ruleset_of(chosen).seats
    except RulesetError as error:
        return options.refuse(error)
    ruleset = {**chosen, "seats": count}
    if ruleset == state.room.ruleset:
        return []
    return [RulesetChosen(ruleset=ruleset, seats=_seats(state.room, count))]


def arrange_seats(state: OpenState, principal: str, seats: Sequence[RoomSeat]) -> Result:
    room = state.room
    refused = refuse_guest(room, principal) or refuse_during_match(state) or _refuse_seats(room, seats)
    if refused is not None:
        return refused
    return [] if tuple(seats) == room.seats else [SeatsArranged(seats=tuple(seats))]


def remove_person(state: OpenState, principal: str, account: str) -> Result:
    room = state.room
    refused = refuse_guest(room, principal) or refuse_during_match(state) or refuse_stranger(room, account)
    if refused is not None:
        return refused
    if account == principal:
        return refusal("not-yourself", "whoever wants to go leaves", "somebody else", "yourself")
    if account == room.owner:
        return _stands_in()
    return [PersonLeftRoom(account=account, removed=True)]


def hand_over(state: OpenState, principal: str, account: str) -> Result:
    """For good, to somebody who is here; not by whoever only stands in."""
    room = state.room
    refused = refuse_guest(room, principal)
    if refused is not None:
        return refused
    if principal != room.owner:
        return _stands_in()
    person = room.person(account)
    if person is None:
        return refuse_stranger(room, account) or []
    if person.away_at is not None:
        return refusal("person-away", "a host has to be here", "somebody who is here", "somebody who is away")
    return [] if account == principal else [HostChanged(account=account, reason="handed-over")]


def _seats(room: Room, count: int) -> tuple[RoomSeat, ...]:
    kept = room.seats[:count]
    sitting = {seat.account for seat in kept}
    standing = [RoomSeat(account=person.account) for person in room.people if person.account not in sitting]
    more = max(0, count - len(room.seats))
    return (*kept, *standing[:more], *(FREE,) * (more - len(standing[:more])))


def _refuse_seats(room: Room, seats: Sequence[RoomSeat]) -> Refusal | None:
    """`bad-seats` or `not-in-room`."""
    if len(seats) != len(room.seats):
        return refusal("bad-seats", "the ruleset has another number of seats", str(len(room.seats)), str(len(seats)))
    accounts = [seat.account for seat in seats if seat.account is not None]
    if len(set(accounts)) != len(accounts):
        return refusal("bad-seats", "nobody sits on two seats", "every account once", "one twice")
    if any(seat.account is not None and seat.strength is not None for seat in seats):
        return refusal("bad-seats", "a seat is for one", "a person or a bot", "both")
    strangers = [refuse_stranger(room, account) for account in accounts]
    return next((refused for refused in strangers if refused is not None), None)


def _stands_in() -> Refusal:
    got = "somebody who stands in"
    return refusal("stands-in", "you stand in for a host who is away", "the host who is stood in for", got)
