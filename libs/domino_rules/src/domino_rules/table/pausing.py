"""The pause after a round, and the host outside who may end it."""

from __future__ import annotations

from domino_rules.refusal import Refusal
from domino_rules.table.draft import Draft, Moment
from domino_rules.table.events import TableEvent
from domino_rules.table.refusal import TableReason, not_dealt_yet, table_over, unknown_table
from domino_rules.table.state import Expired, Finished, Playing, TableState, Waiting


def end_pause(state: TableState | None, ended_round: int, moment: Moment) -> list[TableEvent] | Refusal:
    """By a host outside, whom the caller knows: the pause after `ended_round` is over, whoever sits where."""
    if state is None:
        return unknown_table()
    if isinstance(state, Finished | Expired):
        return table_over()
    if state.table.ruleset.next_round != "host":
        return Refusal(TableReason.NOT_HOST, "a ruleset whose host ends the pause", "one where all do")
    if isinstance(state, Waiting):
        return not_dealt_yet()
    refused = refuse_round(state, ended_round)
    if refused is not None:
        return refused
    draft = Draft(state, moment)
    draft.deal()
    return draft.events


def refuse_round(state: TableState, ended_round: int) -> Refusal | None:
    """Why the table is not in the pause after that round."""
    current = state.match.round_number
    if ended_round > current or (ended_round == current and isinstance(state, Playing)):
        return Refusal(TableReason.WRONG_TURN, "a round that has ended", f"round {ended_round}")
    if ended_round < current:
        return Refusal(TableReason.STALE_TURN, f"round {current}", f"round {ended_round}")
    return None
