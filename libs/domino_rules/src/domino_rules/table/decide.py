"""What becomes of a command to a table: one function each, giving events (maybe none) or the first reason against it.

Nothing here knows a clock or randomness: both come in with the `Moment`. A deadline that is due is applied by the
caller with `time_out` before anything else is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from domino_rules import match as game
from domino_rules.actions import Draw, Flag, Pass, PlayTile, Timeout
from domino_rules.ends import PlayEnd
from domino_rules.events import GameEvent, MatchEnded
from domino_rules.refusal import Refusal
from domino_rules.ruleset import Ruleset, RulesetError, Seat
from domino_rules.shuffle import is_client_seed
from domino_rules.table.deadlines import EXPIRY, START_MS, deadline, turn_of_ref
from domino_rules.table.draft import Draft, Moment
from domino_rules.table.events import (
    AutopilotStarted,
    PlayerLeft,
    PlayerReady,
    PlayerReturned,
    PlayerSeated,
    TableEvent,
    TableExpired,
    TableOpened,
    TurnTimedOut,
)
from domino_rules.table.pausing import refuse_round
from domino_rules.table.refusal import TableReason, not_dealt_yet, table_over, unknown_table
from domino_rules.table.reservation import Reservation
from domino_rules.table.state import Expired, Finished, Pausing, Playing, TableState, Turn, Waiting, last_turn
from domino_rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class RefusedAfterReturn:
    """The action is refused; its person is back from the autopilot all the same."""

    events: tuple[TableEvent, ...]
    refusal: Refusal


Decision: TypeAlias = list[TableEvent] | Refusal | RefusedAfterReturn


def open_table(
    state: TableState | None,
    table_id: str,
    options: Mapping[str, Any],
    seats: tuple[Reservation, ...],
    region: str,
    moment: Moment,
    *,
    hosted: bool = False,
) -> Decision:
    """Reserve the seats and publish the commitment of round 1. `options` without seats take the number reserved;
    `hosted`: the host is none of the seats."""
    if state is not None:
        return Refusal(TableReason.TABLE_EXISTS, "a new table id", table_id)
    try:
        ruleset = Ruleset.from_json({"seats": len(seats), **options})
    except RulesetError as error:
        return Refusal(TableReason.BAD_RULESET, f"{error.field}: {error.expected}", repr(error.got))
    if ruleset.turn_ms is None and ruleset.clock_ms is None:
        return Refusal(TableReason.BAD_RULESET, "turn_ms: a turn timer, or a match clock", "neither")
    if len(seats) != ruleset.seats:
        return Refusal(TableReason.BAD_SEATS, f"{ruleset.seats} seats", str(len(seats)))
    if len({seat.account for seat in seats}) != len(seats):
        return Refusal(TableReason.BAD_SEATS, "every account once", "one twice")
    draft = Draft(None, moment)
    draft.record(TableOpened(table_id, ruleset, seats, region, moment.now, moment.now + START_MS, hosted))
    draft.commit_round(1)
    return draft.events


def sit_down(state: TableState | None, account: str, client_seed: str, moment: Moment) -> Decision:
    """Take the reserved seat. Who sits already may replace the seed until the first deal; later `next_round` does."""
    seat = _seat_at_running_table(state, account)
    if isinstance(seat, Refusal):
        return seat
    if not is_client_seed(client_seed):
        return _bad_seed(client_seed)
    draft = Draft(state, moment)
    player = draft.state.table.player(seat)
    if player.left:
        return _must_return()
    if not player.seated or (isinstance(state, Waiting) and player.client_seed != client_seed):
        draft.record(PlayerSeated(seat, client_seed))
    draft.welcome_back(seat)
    draft.deal_if_all_are_there()
    return draft.events


def play_tile(
    state: TableState | None, account: str, turn: int, tile: Tile, end: PlayEnd | None, moment: Moment
) -> Decision:
    """Place a tile in the given turn."""
    seat = _seat_in_turn(state, account, turn, moment)
    return seat if isinstance(seat, Refusal) else _act(state, PlayTile(seat, tile, end), moment)


def draw_tiles(state: TableState | None, account: str, turn: int, moment: Moment) -> Decision:
    """Draw in the given turn."""
    seat = _seat_in_turn(state, account, turn, moment)
    return seat if isinstance(seat, Refusal) else _act(state, Draw(seat), moment)


def pass_turn(state: TableState | None, account: str, turn: int, moment: Moment) -> Decision:
    """Pass in the given turn."""
    seat = _seat_in_turn(state, account, turn, moment)
    return seat if isinstance(seat, Refusal) else _act(state, Pass(seat), moment)


def leave(state: TableState | None, account: str, moment: Moment) -> Decision:
    """Give the seat to the autopilot, or to its running match clock, until the same person returns; nothing when
    already away."""
    seat = _seat_at_running_table(state, account)
    if isinstance(seat, Refusal):
        return seat
    draft = Draft(state, moment)
    player = draft.state.table.player(seat)
    if player.left:
        return []
    draft.record(PlayerLeft(seat))
    draft.start_autopilot(seat)
    draft.deal_if_all_are_there()
    return draft.events


def return_to_seat(state: TableState | None, account: str, moment: Moment) -> Decision:
    """Take the seat back from the autopilot; nothing when its person is there."""
    seat = _seat_at_running_table(state, account)
    if isinstance(seat, Refusal):
        return seat
    draft = Draft(state, moment)
    if draft.state.table.player(seat).left:
        draft.record(PlayerReturned(seat))
    draft.welcome_back(seat)
    return draft.events


def resign(state: TableState | None, account: str, moment: Moment) -> Decision:
    """Give a match of two up, whoever's turn it is and whether the person is there or not; with more seats leave."""
    seat = _seat_at_running_table(state, account)
    if isinstance(seat, Refusal):
        return seat
    draft = Draft(state, moment)
    match = draft.state.match
    if match.ruleset.seats > 2:
        return leave(state, account, moment)
    if isinstance(state, Waiting):
        return Refusal(TableReason.NOT_STARTED, "a table whose first round is dealt", "one that waits")
    draft.follow([MatchEnded("resigned", (match.ruleset.next_seat(seat),), match.scores)])
    return draft.events


def next_round(
    state: TableState | None, account: str, ended_round: int, client_seed: str | None, moment: Moment
) -> Decision:
    """Say in the pause after `ended_round` that the next may come; a seed replaces the seat's old one."""
    seat = _seat_at_running_table(state, account)
    if isinstance(seat, Refusal):
        return seat
    if isinstance(state, Waiting):
        return not_dealt_yet()
    assert state is not None
    if client_seed is not None and not is_client_seed(client_seed):
        return _bad_seed(client_seed)
    if state.table.player(seat).left:
        return _must_return()
    refused = refuse_round(state, ended_round)
    if refused is not None:
        return refused
    draft = Draft(state, moment)
    draft.welcome_back(seat)
    if isinstance(state, Pausing) and (seat not in state.ready or client_seed is not None):
        draft.record(PlayerReady(seat, client_seed))
    draft.deal_if_all_are_there()
    return draft.events


def time_out(state: TableState | None, moment: Moment) -> Decision:
    """What the deadline of the state brings, whichever it is; the caller knows that it is current and due."""
    if state is None:
        return unknown_table()
    draft = Draft(state, moment)
    due = deadline(state)
    if due is not None and due.kind == EXPIRY:
        draft.record(TableExpired())
    elif isinstance(state, Waiting | Pausing):
        draft.deal()
    elif isinstance(state, Playing) and state.turn is not None:
        _time_out_turn(draft, state.turn)
    return draft.events


def _time_out_turn(draft: Draft, turn: Turn) -> None:
    """The autopilot acts, for this turn alone or from now on; where a match clock ran out the match is lost."""
    match = draft.state.match
    if turn.kind != "autopilot":
        draft.record(TurnTimedOut(turn.number, turn.seat))
    if turn.kind == "turn" and match.ruleset.out_of_time == "autopilot":
        draft.record(AutopilotStarted(turn.seat, "timeout"))
    action = Flag(turn.seat) if turn.kind == "clock" else Timeout(turn.seat)
    draft.follow(_accepted(game.decide(match, action)))


def _act(state: TableState | None, action: PlayTile | Draw | Pass, moment: Moment) -> Decision:
    """The game decides. A person back from the autopilot is back even when the action itself is refused."""
    draft = Draft(state, moment)
    was_away = draft.state.table.player(action.seat).autopilot
    decided = game.decide(draft.state.match, action)
    if isinstance(decided, Refusal):
        if not was_away:
            return decided
        draft.welcome_back(action.seat)
        return RefusedAfterReturn(tuple(draft.events), decided)
    if isinstance(action, Draw):  # the turn goes on, and is the person's again
        draft.welcome_back(action.seat)
    draft.stop_autopilot(action.seat)
    draft.follow(decided)
    return draft.events


def _accepted(decided: list[GameEvent] | Refusal) -> list[GameEvent]:
    assert not isinstance(decided, Refusal), decided
    return decided


def _seat_at_running_table(state: TableState | None, account: str) -> Seat | Refusal:
    if state is None:
        return unknown_table()
    seat = state.table.seat_of(account)
    if seat is None:
        return Refusal(TableReason.NOT_SEATED, "somebody with a seat at this table", "somebody else")
    if isinstance(state, Finished | Expired):
        return table_over()
    return seat


def _seat_in_turn(state: TableState | None, account: str, turn: int, moment: Moment) -> Seat | Refusal:
    """The account's seat, if the command is meant for the turn that is on."""
    if state is not None and state.table.seat_of(account) is not None and _is_too_late(state, turn, moment):
        return Refusal(TableReason.TOO_LATE, f"an action before turn {turn} timed out", "one after it")
    seat = _seat_at_running_table(state, account)
    if isinstance(seat, Refusal):
        return seat
    if isinstance(state, Waiting):
        return Refusal(TableReason.NOT_STARTED, "a table whose first round is dealt", "one that waits")
    current = last_turn(cast(TableState, state))
    if turn < current:
        return Refusal(TableReason.STALE_TURN, f"turn {current}", f"turn {turn}")
    if turn > current:
        return Refusal(TableReason.WRONG_TURN, f"turn {current}", f"turn {turn}")
    if cast(TableState, state).table.player(seat).left:
        return _must_return()
    return seat


def _is_too_late(state: TableState, turn: int, moment: Moment) -> bool:
    if turn == state.table.timed_out_turn:
        return True
    return moment.timed_out is not None and turn_of_ref(moment.timed_out) == turn


def _must_return() -> Refusal:
    return Refusal(TableReason.NOT_SEATED, "return-to-seat first, the seat was left", "another command")


def _bad_seed(client_seed: str) -> Refusal:
    return Refusal(TableReason.BAD_SEED, "0 to 64 printable ASCII characters without a colon", repr(client_seed[:80]))
