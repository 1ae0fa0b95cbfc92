"""Finished matches, whole, for those who played them."""

from collections.abc import Collection, Iterator

from fastapi import APIRouter

from bus.clock import BrokerTime
from bus.decider import Deadline
from bus.outcomes import MalformedBody
from contracts.api import Replay, ReplayOutcome
from contracts.ids import made_at
from contracts.table import MatchEnded, TableOpened
from contracts.topics import COMMANDS_KEPT_MS, DAY_MS
from gateway.codes import Code
from gateway.history import Logged, PastUnavailable
from gateway.http_identity import Asker
from gateway.limits import REQUESTS, within
from gateway.merged import Merged
from gateway.past import Past
from gateway.problems import ProblemError, problem
from gateway.tables import Tables

OPENED = TableOpened.model_fields["type"].default
ENDED = MatchEnded.model_fields["type"].default


def replay_routes(tables: Tables, past: Past, time: BrokerTime, merged: Merged) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["tables"])

    @routes.get("/tables/{table_id}/replay", dependencies=[within(REQUESTS)])
    async def replay(table_id: str, asker: Asker) -> Replay:
        """Every event of a finished match that you had a seat in, with all hands, seeds and recorded state hashes; for
        thirty days after its end at least."""
        if table_id not in tables:
            raise _unknown(table_id, time.now())
        try:
            outcomes = await past.outcomes(table_id)
        except (PastUnavailable, MalformedBody):
            raise problem(503, Code.TABLE_UNAVAILABLE, "table", "the table's log", "no answer: try again") from None
        return replay_of(table_id, outcomes, await merged.with_guests(asker.account))

    return routes


def _unknown(table_id: str, now: int) -> ProblemError:
    made = made_at(table_id)
    if made is not None and made < now - COMMANDS_KEPT_MS:
        expected = f"a match that ended in the last {COMMANDS_KEPT_MS // DAY_MS} days"
        return problem(410, Code.TABLE_RETIRED, "table", expected, "the id of an older one")
    return problem(404, Code.UNKNOWN_TABLE, "table", "the id of a table", "one that was never opened")


def replay_of(table_id: str, outcomes: list[Logged], accounts: Collection[str]) -> Replay:
    """For who is one of `accounts`. Raises the problems `not-a-participant` and `not-finished`."""
    opened = outcomes[0][1].events[0] if outcomes else {}
    if opened.get("type") != OPENED:
        raise problem(503, Code.TABLE_UNAVAILABLE, "table", "a log that opens the table first", "another one")
    if all(seat["account"] not in accounts for seat in opened["seats"]):
        raise problem(403, Code.NOT_A_PARTICIPANT, "table", "somebody who played here", "somebody else")
    if not any(event["type"] == ENDED for _, body in outcomes for event in body.events):
        raise problem(409, Code.NOT_FINISHED, "table", "a finished match", "one that is not")
    return Replay(
        table_id=table_id,
        rules_version=outcomes[-1][1].rules_version,
        ruleset=opened["ruleset"],
        outcomes=tuple(_outcomes(outcomes)),
    )


def _outcomes(logged: list[Logged]) -> Iterator[ReplayOutcome]:
    stood: Deadline | None = None
    for outcome, body in logged:
        yield ReplayOutcome(
            version=outcome.header.to_version,
            at=body.at,
            events=body.events,
            state_hash=body.state_hash,
            given_back_ms=0 if stood is None else outcome.outages.given_back(stood.set_at, stood.due_at),
        )
        stood = outcome.deadline
