"""What comes of a command to a private room, and the refusals that many commands have in common."""

from collections.abc import Sequence
from typing import TypeAlias

from contracts.envelope import Refusal
from contracts.room import RoomEvent
from lobby.refusals import refusal
from lobby.room.state import Gathering, OpenState, Room, Starting

Result: TypeAlias = Sequence[RoomEvent] | Refusal


def refuse_stranger(room: Room, account: str) -> Refusal | None:
    """`not-in-room`."""
    if room.person(account) is not None:
        return None
    return refusal("not-in-room", "nobody of that account is in the room", "somebody in the room", "somebody else")


def refuse_guest(room: Room, account: str) -> Refusal | None:
    """`not-in-room`, or `not-host` for those who are here and decide nothing."""
    stranger = refuse_stranger(room, account)
    if stranger is not None or account == room.host:
        return stranger
    return refusal("not-host", "only the host may do that", "the host", "a guest")


def refuse_during_match(state: OpenState) -> Refusal | None:
    """`match-running`, from its start to the end of its table."""
    if isinstance(state, Gathering):
        return None
    got = "a match that waits for its bots" if isinstance(state, Starting) else "a running match"
    return refusal("match-running", "the room has a match", "no match", got)
