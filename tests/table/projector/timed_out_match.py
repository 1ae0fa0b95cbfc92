"""A whole match that nobody plays: every decision is a timeout, until the match is over."""

from typing import Any

from ulid import ULID

from bus.judging import context_of, judge
from contracts.envelope import CommandEnvelope, TimeOut
from contracts.table import OpenTable, Reservation
from domino_rules.table import Finished
from table.decider import TableDecider

AT = 1_000_000
ONE, TWO, OVER = (f"{ULID.from_timestamp(AT / 1000)!s:.10}{number:016}".lower() for number in range(3))
SEATS = (Reservation(account="ann"), Reservation(account="bob", bot=True, strength="beginner"))


def decisions(table_id: str) -> list[list[dict[str, Any]]]:
    """The events of each decision of the table, the opening first and the match's end last."""
    decider = TableDecider()
    command: Any = OpenTable(ruleset={"preset": "block", "seats": 2, "target": 50}, seats=SEATS, region="eu")
    state, at, found = None, AT, list[list[dict[str, Any]]]()
    while not isinstance(state, Finished):
        envelope = CommandEnvelope(id="c", principal="lobby", aggregate=table_id, command=command.model_dump())
        entropy = len(found).to_bytes(32, "big")
        decision = judge(decider, state, envelope.command, context_of(envelope, at, at, entropy))
        assert decision.code == "accepted", decision
        found.append([decider.encode_event(event) for event in decision.events])
        state = decision.state
        deadline = decider.deadline(state) if state is not None else None
        if deadline is not None:
            command, at = TimeOut(kind=deadline.kind, ref=deadline.ref), deadline.due_at + 1
    return found
