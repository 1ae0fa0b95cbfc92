"""The table's decider: turns commands into calls of `domino_rules.table`, which holds every rule."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, assert_never

from pydantic import TypeAdapter

from bus.decider import Context, Deadline, RefusedAfter, UnknownEvent
from contracts.envelope import Refusal, Retired, TimeOut
from contracts.table import (
    DrawTiles,
    EndTablePause,
    LeaveTable,
    NextRound,
    OpenTable,
    PassTurn,
    PlayTile,
    Resign,
    ReturnToSeat,
    SitDown,
    TableCommand,
)
from domino_rules import RULES_VERSION, MatchEnded, RoundEnded, table
from domino_rules import events as domino_events
from domino_rules.notation import NotationError, parse_tile
from domino_rules.refusal import Reason
from domino_rules.refusal import Refusal as RulesRefusal
from domino_rules.table import Expired, Finished, Moment, Reservation, TableEvent, TableReason, TableState
from table.keeping import KEEPING, Keeping

SeatCommand = SitDown | PlayTile | DrawTiles | PassTurn | LeaveTable | ReturnToSeat | Resign | NextRound
Command = OpenTable | SeatCommand | EndTablePause | TimeOut
LOBBY: Final = "lobby"
"""Whose rooms have hosts."""
_commands: Final[TypeAdapter[Command]] = TypeAdapter(TableCommand)


class TableDecider:
    """A `bus.decider.Decider` over the states of `domino_rules.table`. A table that is over has one deadline more, by
    which it is retired."""

    name = "table"
    rules_version = RULES_VERSION
    snapshot_version = 2

    def __init__(self, keeping: Keeping = KEEPING) -> None:
        self._keeping = keeping

    def decode_command(self, payload: dict[str, Any]) -> Command:
        return _commands.validate_python(payload)

    def decide(
        self, state: TableState | None, command: Command, context: Context
    ) -> Sequence[TableEvent] | Refusal | RefusedAfter[TableEvent] | Retired:
        if isinstance(command, TimeOut) and isinstance(state, Finished | Expired):
            return Retired()
        refused = self._keeping.refuse_to_open(context) if isinstance(command, OpenTable) and state is None else None
        decided = refused or _decide(state, command, context)
        if isinstance(decided, table.RefusedAfterReturn):
            return RefusedAfter(decided.events, _refusal(decided.refusal))
        return _refusal(decided) if isinstance(decided, RulesRefusal) else decided

    def evolve(self, state: TableState | None, event: TableEvent) -> TableState:
        return table.evolve(state, event)

    def deadline(self, state: TableState) -> Deadline | None:
        due = table.deadline(state)
        return self._keeping.deadline(state) if due is None else Deadline(due.kind, due.ref, due.set_at, due.due_at)

    def encode_event(self, event: TableEvent) -> dict[str, Any]:
        return event.to_json()

    def decode_event(self, payload: dict[str, Any]) -> TableEvent:
        try:
            return table.event_from_json(payload)
        except domino_events.UnknownEvent as unknown:
            raise UnknownEvent(unknown.tag) from None

    def state_to_json(self, state: TableState) -> dict[str, Any]:
        return table.to_json(state)

    def state_from_json(self, body: dict[str, Any]) -> TableState:
        return table.from_json(body)

    def rests(self, state: TableState) -> bool:
        return isinstance(state, Finished | Expired)

    def state_hash(self, state: TableState, events: Sequence[TableEvent]) -> str | None:
        ends = any(isinstance(event, RoundEnded | MatchEnded) for event in events)
        return table.state_hash(state) if ends else None

    def remembers(self, state: TableState, principal: str) -> bool:
        return state.table.seat_of(principal) is not None


def _decide(state: TableState | None, command: Command, context: Context) -> table.Decision:
    moment = _moment(context)
    match command:
        case TimeOut():
            return table.time_out(state, moment)
        case OpenTable():
            seats = tuple([Reservation(seat.account, seat.bot, seat.strength) for seat in command.seats])
            opening = context.aggregate, command.ruleset, seats, command.region
            return table.open_table(state, *opening, moment, hosted=command.hosted)
        case EndTablePause() if context.principal != LOBBY:
            return RulesRefusal(TableReason.NOT_HOST, LOBBY, context.principal)
        case EndTablePause():
            return table.end_pause(state, command.round, moment)
        case _:
            asked = partial(_decide_for_seat, command=command, account=context.principal, moment=moment)
            return table.from_seat(state, context.principal, moment, asked)


def _decide_for_seat(state: TableState | None, command: SeatCommand, account: str, moment: Moment) -> table.Decision:
    match command:
        case PlayTile():
            return _play(state, command, account, moment)
        case DrawTiles():
            return table.draw_tiles(state, account, command.turn, moment)
        case PassTurn():
            return table.pass_turn(state, account, command.turn, moment)
        case NextRound():
            return table.next_round(state, account, command.round, command.client_seed, moment)
        case SitDown():
            return table.sit_down(state, account, command.client_seed, moment)
        case LeaveTable():
            return table.leave(state, account, moment)
        case ReturnToSeat():
            return table.return_to_seat(state, account, moment)
        case Resign():
            return table.resign(state, account, moment)
        case _:
            assert_never(command)


def _play(state: TableState | None, command: PlayTile, account: str, moment: Moment) -> table.Decision:
    try:
        tile = parse_tile(command.tile)
    except NotationError as error:
        return RulesRefusal(Reason.UNKNOWN_ACTION, error.expected, error.got)
    return table.play_tile(state, account, command.turn, tile, command.end, moment)


def _moment(context: Context) -> Moment:
    timed_out = context.timed_out
    return Moment(
        now=context.deadlines_from,
        draw=context.draw,
        timed_out=None if timed_out is None else timed_out.ref,
        at=context.at - context.given_back,  # a match clock stands still during an outage
        human=context.human,
        delay_ms=context.delay_ms,
    )


def _refusal(refusal: RulesRefusal) -> Refusal:
    return Refusal(code=refusal.reason.value, message=refusal.message, expected=refusal.expected, got=refusal.got)
