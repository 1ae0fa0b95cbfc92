"""What a command to a table tells of its sender, besides what it asks for."""

from __future__ import annotations

from collections.abc import Callable

from domino_rules.refusal import Refusal
from domino_rules.table.credit import noted_delay
from domino_rules.table.deadlines import PERSON_ACTED_MS
from domino_rules.table.decide import Decision, RefusedAfterReturn
from domino_rules.table.draft import Draft, Moment
from domino_rules.table.events import DelayMeasured, PersonActed
from domino_rules.table.state import Expired, Finished, TableState


def from_seat(
    state: TableState | None, account: str, moment: Moment, decide: Callable[[TableState | None], Decision]
) -> Decision:
    """What `decide` gives on the state that knows of the command's sender; that comes first in its events.

    Only what is accepted tells anything, and what brings its person back from the autopilot.
    """
    seat = None if state is None or isinstance(state, Finished | Expired) else state.table.seat_of(account)
    if state is None or seat is None:
        return decide(state)
    draft = Draft(state, moment)
    if moment.delay_ms is not None:
        delay_ms = noted_delay(state.table.player(seat).delay_ms, moment.delay_ms)
        draft.record(*([] if delay_ms is None else [DelayMeasured(seat, delay_ms)]))
    if moment.human and moment.now - state.table.person_acted_at >= PERSON_ACTED_MS:
        draft.record(PersonActed(moment.now))
    match decide(draft.state):
        case Refusal() as refusal:
            return refusal
        case RefusedAfterReturn(events, refusal):
            return RefusedAfterReturn((*draft.events, *events), refusal)
        case events:
            return [*draft.events, *events]
