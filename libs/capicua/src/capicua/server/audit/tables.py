"""Folding tables by the rules: the deadline, the 28 tiles, and the state hashes that the log holds."""

from typing import Final

from bus.header import OutcomeHeader
from capicua.server.audit.aggregate import RETIRE, Aggregate, Tell
from capicua.server.audit.body import Body
from capicua.server.audit.report import Cause, Report
from domino_rules import table
from domino_rules.events import MatchEnded, RoundDealt, RoundEnded, UnknownEvent
from domino_rules.state import Round
from domino_rules.table import Expired, Finished, TableDeadline, TableEvent, TableState
from domino_rules.tiles import set_of

ALL_TILES: Final = (1 << 28) - 1


def check_table(aggregate: Aggregate, header: OutcomeHeader, body: Body, report: Report, tell: Tell) -> None:
    """Folds the outcome's events and holds what the log says of the table against the folded one.

    A table with an event that this version does not know, or that does not fold, is not folded any further.
    """
    if not aggregate.foldable or not body.events:
        return
    if isinstance(aggregate.table, Finished | Expired):
        tell(Cause.CHANGED_AFTER_END, "no more events", len(body.events))
        return
    try:
        events = [table.event_from_json(event) for event in body.events]
        state = _folded(aggregate.table, events)
        due = table.deadline(state)
    except UnknownEvent as unknown:
        aggregate.foldable, aggregate.table = False, None
        report.unknown_events[str(unknown.tag)] += 1
        return
    except Exception as error:  # noqa: BLE001 - whatever a wrong log makes the rules raise is a finding
        aggregate.foldable, aggregate.table = False, None
        tell(Cause.FOLD_FAILED, "events that follow", type(error).__name__)
        return
    aggregate.table = state
    if state.table.table_id != body.aggregate:
        tell(Cause.HEADER_AND_BODY, "the table that the record's key names", "another one")
    report.deals_checked += sum(isinstance(event, RoundDealt) for event in events)
    _check_deadline(state, due, header, tell)
    _check_tiles(state.match.round, tell)
    _check_hash(state, events, body.state_hash, report, tell)


def _folded(state: TableState | None, events: list[TableEvent]) -> TableState:
    for event in events:
        state = table.evolve(state, event)
    assert state is not None
    return state


def _check_deadline(state: TableState, due: TableDeadline | None, header: OutcomeHeader, tell: Tell) -> None:
    told = header.deadline
    if isinstance(state, Finished | Expired) and told is not None and told.kind == RETIRE:
        return
    got = None if told is None else (told.kind, told.ref, told.set_at, told.due_at)
    if got != due:
        tell(Cause.DEADLINE_WRONG, due and tuple(due), got)


def _check_tiles(current: Round | None, tell: Tell) -> None:
    """In hands, on the layout and in the boneyard: each of the 28 once. Says how many, never which."""
    if current is None:
        return
    boneyard = set_of(set(current.boneyard))
    everywhere, count = boneyard, len(current.boneyard)
    for had in current.had:
        everywhere |= had
        count += had.bit_count()
    if everywhere != ALL_TILES or count != 28:
        tell(Cause.TILES, "28 tiles, each once", f"{everywhere.bit_count()} different ones in {count} places")
    lying = set_of({play.tile for play in current.layout.plays})
    if lying != current.laid or lying & boneyard:
        tell(Cause.TILES, "on the layout what was played from hands", "other tiles")


def _check_hash(state: TableState, events: list[TableEvent], recorded: str | None, report: Report, tell: Tell) -> None:
    ended = any(isinstance(event, RoundEnded | MatchEnded) for event in events)
    if recorded is None:
        if ended:
            tell(Cause.STATE_HASH_MISSING, "a state hash where a round or match ends", "none")
        return
    report.hashes_checked += 1
    folded = table.state_hash(state)
    if folded != recorded:
        tell(Cause.STATE_HASH_MISMATCH, folded, recorded)
