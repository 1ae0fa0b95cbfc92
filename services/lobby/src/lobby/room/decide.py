"""What a private room decides: who comes in, who is the host, who sits where, when its match starts."""

from collections.abc import Sequence
from typing import Final, assert_never

from bus.decider import Context, Deadline
from contracts.envelope import Refusal, Retired, TimeOut
from contracts.room import (
    ArrangeSeats,
    BringBots,
    ChooseRuleset,
    EndPause,
    EnterRoom,
    ExpiryPutOff,
    HandOver,
    LeaveRoom,
    NoteAwayFromRoom,
    NoteBackInRoom,
    OpenRoom,
    PersonInRoomCommands,
    RemovePerson,
    RoomClosed,
    RoomCommand,
    RoomEvent,
    RoomTableEnded,
    StartMatch,
)
from contracts.topics import DAY_MS
from lobby.refusals import refusal
from lobby.room import coming, matches, rights
from lobby.room.hosting import host_change, host_deadline
from lobby.room.results import Result
from lobby.room.state import Closed, OpenState, RoomState, Starting, evolve

HOUR_MS: Final = 60 * 60 * 1000
PUT_OFF_MS: Final = HOUR_MS
"""What people do is noted no more often than this, so that a room may live for so much longer."""
EXPIRY_MS: Final = DAY_MS + PUT_OFF_MS
CODE_KEPT_MS: Final = 30 * DAY_MS
"""For so long after its end a room's code opens no other."""
RETIRE: Final = "retire"


def decide(state: RoomState | None, command: RoomCommand, context: Context) -> Result | Retired:
    """What follows from `command` by `context.principal`."""
    if isinstance(command, OpenRoom):
        return coming.open_room(state, command, context, EXPIRY_MS)
    if isinstance(command, LeaveRoom) and not _is_inside(state, context.principal):
        return []  # who is in no room, or no more, has left it already
    if state is None:
        return refusal("unknown-room", "there is no such room", "the code of a room", "a code of none")
    match command:
        case TimeOut():
            return _time_out(state, context)
        case BringBots():
            return matches.bring_bots(state, command, context.principal)
        case RoomTableEnded():
            return matches.end_table(state, command, context.principal)
    if isinstance(state, Closed):
        return refusal("room-closed", "the room is closed", "a room that is open", "one that is closed")
    decided = _decide_for_person(state, command, context)
    return decided if isinstance(decided, Refusal) else [*decided, *_consequences(state, decided, context)]


def _decide_for_person(
    state: OpenState, command: PersonInRoomCommands | NoteAwayFromRoom | NoteBackInRoom, context: Context
) -> Result:
    principal = context.principal
    match command:
        case EnterRoom():
            return coming.enter(state, principal, bot=command.bot)
        case LeaveRoom():
            return coming.leave(state, principal, context.at)
        case NoteAwayFromRoom():
            return coming.go_away(state, principal, context.deadlines_from)
        case NoteBackInRoom():
            return coming.come_back(state, principal)
        case ChooseRuleset():
            return rights.choose_ruleset(state, principal, command.ruleset)
        case ArrangeSeats():
            return rights.arrange_seats(state, principal, command.seats)
        case RemovePerson():
            return rights.remove_person(state, principal, command.account)
        case HandOver():
            return rights.hand_over(state, principal, command.account)
        case StartMatch():
            return matches.start(state, context)
        case EndPause():
            return matches.end_pause(state, principal, command.round)
        case _:
            assert_never(command)


def _consequences(state: RoomState, events: Sequence[RoomEvent], context: Context) -> list[RoomEvent]:
    """Another host, and a later expiry by what a person has done."""
    for event in events:
        state = evolve(state, event)
    if isinstance(state, Closed):
        return []
    changed = host_change(state.room, context.at)
    expires_at = context.deadlines_from + EXPIRY_MS
    acted = context.human and expires_at - state.room.expires_at >= PUT_OFF_MS
    return [*([changed] if changed else []), *([ExpiryPutOff(expires_at=expires_at)] if acted else [])]


def _time_out(state: RoomState, context: Context) -> Result | Retired:
    if isinstance(state, Closed):
        return Retired()
    match deadline(state).kind:
        case "bots":
            return matches.give_up_start(state)
        case "expiry":
            return [*matches.give_up_start(state), RoomClosed(at=context.at)]
        case "host":
            return _consequences(state, (), context)
        case kind:
            raise ValueError(f"kind: expected bots, expiry or host, got {kind!r}")


# ---- deadline


def deadline(state: RoomState) -> Deadline:
    """The next thing that happens by itself: no house bots, another host, the room's end, a code that is free again."""
    if isinstance(state, Closed):
        at = state.closed_at
        return Deadline(RETIRE, f"{RETIRE}-{at}", at, at + CODE_KEPT_MS)
    expires_at = state.room.expires_at
    expiry = Deadline("expiry", f"expiry-{expires_at}", expires_at - EXPIRY_MS, expires_at)
    found = [_bots_deadline(state), host_deadline(state.room), expiry]
    return min([due for due in found if due is not None], key=lambda due: due.due_at)


def _bots_deadline(state: OpenState) -> Deadline | None:
    if not isinstance(state, Starting):
        return None
    return Deadline("bots", f"bots-{state.table_id}", state.due_at - matches.BOTS_MS, state.due_at)


# ---- queries


def remembers(state: RoomState, principal: str) -> bool:
    """Whether the answers to `principal` are still worth remembering."""
    return _is_inside(state, principal)


def _is_inside(state: RoomState | None, account: str) -> bool:
    return isinstance(state, OpenState) and state.room.person(account) is not None


def rests(state: RoomState) -> bool:
    """Whether nothing but its retirement is expected of the room: of a closed one, once its match is over."""
    return isinstance(state, Closed) and state.table_id is None
