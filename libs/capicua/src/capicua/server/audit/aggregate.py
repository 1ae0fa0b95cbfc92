"""What is remembered of one aggregate, and what its outcomes must agree with."""

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from bus.decider import Deadline
from bus.header import OutcomeHeader
from capicua.server.audit.body import Body
from capicua.server.audit.over import fingerprint
from capicua.server.audit.report import Cause
from capicua.server.audit.silence import Silence
from domino_rules.table import TableState

ANSWERS_KEPT = 10
"""A decider keeps more of them, but of somebody who has just gone no more than these for sure."""
TOO_EARLY = "too-early"
OF_TIMEOUTS = ("too-early", "not-current")
"""Refusals that only a timeout gets, whoever sends it."""
TIMER = "timer"
RETIRE = "retire"
"""The kind of the deadline by which what is over leaves memory."""
TURN_TIMED_OUT = "turn-timed-out"

Tell = Callable[[Cause, object, object], None]
"""Cause, expected, got."""


@dataclass(slots=True)
class Aggregate:
    """`table` is its folded state where it is a table whose every event could be folded. `answered` are fingerprints of
    the last commands that were answered, odd where they changed it; `rung` of the deadlines whose timeouts were
    accepted."""

    version: int = 0
    deadline: Deadline | None = None
    answered: "array[int]" = field(default_factory=lambda: array("Q"))
    rung: "array[int]" = field(default_factory=lambda: array("Q"))
    table: TableState | None = None
    foldable: bool = True


def check_deadline(before: Deadline | None, header: OutcomeHeader, tell: Tell) -> None:
    """An outcome that changes nothing tells the standing deadline."""
    if header.to_version != header.from_version or header.deadline == before:
        return
    cause = Cause.DEADLINE_MISSING if header.deadline is None else Cause.DEADLINE_CHANGED
    tell(cause, before or "no deadline", header.deadline or "none")


def check_timeout(aggregate: Aggregate, header: OutcomeHeader, body: Body, silence: Silence, tell: Tell) -> bool:
    """Whether the outcome is an accepted timeout; it must be of the deadline that stood, once, and after it. Any other
    command that was decided after the deadline must have brought the timeout first, and none before it may."""
    ref = timeout_ref(body)
    if ref is None:
        if aggregate.deadline is not None and body.decided:
            _check_applied(aggregate.deadline, header, body, silence, tell)
        return False
    if not body.accepted:
        return False
    standing = aggregate.deadline
    if standing is None or standing.ref != ref:
        tell(Cause.TIMEOUT_NOT_CURRENT, standing.ref if standing else "no timeout", ref)
    else:
        _check_late(standing, body, silence, tell)
    rung = fingerprint(ref)
    if rung in aggregate.rung:
        tell(Cause.TIMEOUT_TWICE, f"one timeout of {ref}", "another")
    else:
        aggregate.rung.append(rung)
    return True


def _check_late(standing: Deadline, body: Body, silence: Silence, tell: Tell) -> None:
    if body.at <= standing.due_at:
        tell(Cause.TIMEOUT_EARLY, f"after {standing.due_at}", body.at)
    elif body.at <= (due := silence.earliest(standing, body.at)):
        tell(Cause.TIMEOUT_IN_OUTAGE, f"after {due}, {due - standing.due_at} ms given back", body.at)


def _check_applied(standing: Deadline, header: OutcomeHeader, body: Body, silence: Silence, tell: Tell) -> None:
    if any(event.get("type") == TURN_TIMED_OUT for event in body.events):
        _check_late(standing, body, silence, tell)
    elif body.refusal not in OF_TIMEOUTS and body.at > standing.due_at and body.at > silence.latest(standing):
        now = header.deadline
        if now is not None and now.ref == standing.ref:
            tell(Cause.TIMEOUT_FORGOTTEN, f"the timeout of {standing.ref} before it", "the same deadline after it")


def timeout_ref(body: Body) -> str | None:
    """Of which deadline the command is a timeout: the timer's ids say so."""
    prefix = f"timeout:{body.aggregate}:"
    if body.principal != TIMER or not body.command_id.startswith(prefix):
        return None
    return body.command_id[len(prefix) :].rpartition(":")[0]


def check_effect(aggregate: Aggregate, header: OutcomeHeader, body: Body, tell: Tell) -> None:
    """One command id is decided once; its repetitions get the first answer and change nothing."""
    if body.duplicate_of is not None:
        if body.events:
            tell(Cause.DUPLICATE_CHANGES, "no events", len(body.events))
        if body.duplicate_of >= header.command_offset:
            tell(Cause.DUPLICATE_CHANGES, f"a command before {header.command_offset}", body.duplicate_of)
        return
    if not body.command_id or body.refusal == TOO_EARLY:
        return
    name = fingerprint(f"{body.principal}\n{body.command_id}") & ~1
    answer = name | bool(body.events)
    if answer & 1 and answer in aggregate.answered:
        tell(Cause.SECOND_EFFECT, "one effect of one command id", "another")
    elif name in aggregate.answered or name | 1 in aggregate.answered:
        tell(Cause.DECIDED_TWICE, "the first answer again", "another decision")
    aggregate.answered.append(answer)
    del aggregate.answered[:-ANSWERS_KEPT]
