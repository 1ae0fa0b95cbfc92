"""From a table's events to the few facts of its life that others need. Mapping only."""

from pydantic import ValidationError

from bus.outcomes import MalformedBody, Outcome
from bus.sender import Letter
from contracts.lifecycle import (
    LifecycleMessage,
    Source,
    TableWasExpired,
    TableWasFinished,
    TableWasNotOpened,
    TableWasOpened,
)
from contracts.table import Reservation
from domino_rules import MatchEnded
from domino_rules.table import TableEvent, TableState, absent_seats
from domino_rules.table.events import TableExpired, TableOpened


def fact_of(event: TableEvent, state: TableState, source: Source, at: int) -> LifecycleMessage | None:
    """The fact that `event` is, with `state` after it and the command's log time `at`; None for all within a match."""
    table = state.table
    match event:
        case TableOpened(ruleset=ruleset):
            return TableWasOpened(
                table_id=table.table_id,
                source=source,
                at=at,
                region=table.region,
                ruleset=ruleset.to_json(),
                seats=_seats(state),
            )
        case MatchEnded(reason=reason, winner=winner, scores=scores):
            return TableWasFinished(
                table_id=table.table_id,
                source=source,
                at=at,
                region=table.region,
                seats=_seats(state),
                reason=reason,
                winners=tuple(table.player(seat).account for seat in winner),
                scores=tuple(scores),
                absent=tuple(table.player(seat).account for seat in absent_seats(table, event)),
            )
        case TableExpired():
            return TableWasExpired(
                table_id=table.table_id, source=source, at=at, region=table.region, seats=_seats(state)
            )
        case _:
            return None


def not_opened(outcome: Outcome) -> TableWasNotOpened | None:
    """That there is no such table although somebody has asked for it: its opening was refused, or a fault. None for any
    other outcome. Raises `MalformedBody`."""
    if (outcome.header.from_version, outcome.header.to_version) != (0, 0):
        return None
    body = outcome.body()
    trouble = body.fault or body.refusal
    if body.asked_by is None or trouble is None:
        return None
    try:
        return TableWasNotOpened(
            table_id=outcome.aggregate,
            source=Source(partition=outcome.source.partition, offset=outcome.offset),
            at=body.at,
            region=body.asked_by,
            reason=trouble.code,
        )
    except ValidationError:
        raise MalformedBody(f"the outcome at {outcome.source}:{outcome.offset} was asked for by no region") from None


def _seats(state: TableState) -> tuple[Reservation, ...]:
    return tuple(
        Reservation(account=player.account, bot=player.bot, strength=player.strength) for player in state.table.players
    )


def letter(fact: LifecycleMessage) -> Letter:
    return Letter("table.lifecycle", fact.table_id, fact.model_dump_json().encode())
