"""The matches of a private room: their start, with house bots or without, their pauses and their end."""

from collections.abc import Sequence
from typing import Final

from bus.decider import Context
from contracts.envelope import Refusal
from contracts.room import (
    BotsMissing,
    BotsWanted,
    BringBots,
    MatchStarted,
    PauseEnded,
    RoomEvent,
    RoomReleased,
    RoomTableEnded,
)
from contracts.table import Reservation
from lobby.refusals import refusal, refuse_outsider
from lobby.room import options
from lobby.room.results import Result, refuse_during_match, refuse_guest
from lobby.room.state import Closed, OpenState, Playing, Room, RoomState, Starting
from lobby.table_ids import draw_table_id

BOTS_MS: Final = 10_000
"""How long a start waits for its house bots."""


def start(state: OpenState, context: Context) -> Result:
    """At once where only people sit; else house bots are asked for first."""
    room = state.room
    refused = refuse_guest(room, context.principal) or refuse_during_match(state) or _refuse_missing(room)
    if refused is not None:
        return refused
    table_id = draw_table_id(context)
    strengths = tuple(seat.strength for seat in room.seats if seat.strength is not None)
    if not strengths:
        return [_started(room, table_id, ())]
    due_at = context.deadlines_from + BOTS_MS
    return [BotsWanted(table_id=table_id, region=room.region, strengths=strengths, due_at=due_at)]


def bring_bots(state: RoomState, command: BringBots, principal: str) -> Result:
    """The match starts with them. Bots of a start that is off by now go back to their region."""
    refused = refuse_outsider(principal, "brings bots")
    if refused is not None:
        return refused
    back: list[RoomEvent] = [_called_off(state, command.table_id)] if command.bots else []
    if isinstance(state, Playing) and state.table_id == command.table_id:
        return []
    if not isinstance(state, Starting) or state.table_id != command.table_id:
        return back
    sitting = {seat.account for seat in state.room.seats} & {bot.account for bot in command.bots}
    if len(command.bots) != len(state.strengths) or sitting:
        return [*give_up_start(state), *back]
    return [_started(state.room, command.table_id, command.bots)]


def give_up_start(state: OpenState) -> list[RoomEvent]:
    """House bots that are on their way are not wanted any more; nothing where none are."""
    return [BotsMissing(table_id=state.table_id, region=state.room.region)] if isinstance(state, Starting) else []


def end_table(state: RoomState, command: RoomTableEnded, principal: str) -> Result:
    """A table that is not the room's running one has ended before: this command comes at least once."""
    refused = refuse_outsider(principal, "says that a table is over")
    if refused is not None:
        return refused
    if not isinstance(state, Playing | Closed) or state.table_id != command.table_id:
        return []
    region = _region(state) if state.lent else None
    return [RoomReleased(table_id=command.table_id, region=region, not_opened=command.not_opened)]


def end_pause(state: OpenState, principal: str, ended_round: int) -> Result:
    """Whether there is such a pause is the table's to say."""
    refused = refuse_guest(state.room, principal)
    if refused is not None:
        return refused
    if not isinstance(state, Playing):
        return refusal("no-match", "the room has no match", "a running match", "none")
    if options.ruleset_of(state.room.ruleset).next_round != "host":
        return refusal("everybody-decides", "all end this pause", "a ruleset whose host does", "one where all do")
    return [PauseEnded(table_id=state.table_id, round=ended_round)]


def _refuse_missing(room: Room) -> Refusal | None:
    """`seats-free`, `nobody-plays` or `person-away`."""
    if room.free_seats:
        return refusal(
            "seats-free", "seats are free", "somebody on every seat", f"nobody on {_listed(room.free_seats)}"
        )
    players = [room.person(seat.account) for seat in room.seats if seat.account is not None]
    if not players:
        return refusal("nobody-plays", "only bots have seats", "a person on a seat", "bots")
    away = [person.account for person in players if person is not None and person.away_at is not None]
    if away:
        return refusal("person-away", "somebody is away", "everybody here", f"{_listed(away)} away")
    return None


def _started(room: Room, table_id: str, bots: Sequence[Reservation]) -> MatchStarted:
    waiting, seats = iter(bots), []
    for seat in room.seats:
        if seat.account is None:
            seats.append(Reservation(account=next(waiting).account, bot=True, strength=seat.strength))
        else:
            person = room.person(seat.account)
            seats.append(Reservation(account=seat.account, bot=person is not None and person.bot))
    return MatchStarted(table_id=table_id, ruleset=dict(room.ruleset), seats=tuple(seats))


def _called_off(state: RoomState, table_id: str) -> RoomReleased:
    """Gives house bots back that have come to no match."""
    return RoomReleased(table_id=table_id, region=_region(state), not_opened="called-off")


def _region(state: RoomState) -> str:
    return state.region if isinstance(state, Closed) else state.room.region


def _listed(things: Sequence[object]) -> str:
    return ", ".join(str(thing) for thing in things)
