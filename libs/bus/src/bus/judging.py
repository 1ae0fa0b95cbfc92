"""From a command to a decision: the time rule, and what becomes of mistakes. Pure, for one aggregate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from pydantic import ValidationError

from bus.decider import C, Context, Deadline, Decider, E, RefusedAfter, S
from bus.outages import NO_OUTAGES, Outages
from contracts.envelope import CommandEnvelope, Fault, Refusal, Retired, TimeOut

LATE_DECISION_MS = 1000


@dataclass(frozen=True, slots=True)
class Decision(Generic[S, E]):
    """What was decided and the state after it. For a repeated id `version` is the first answer's. `retires`: the
    aggregate leaves memory, without events of its decider's own."""

    events: tuple[E, ...]
    state: S | None
    refusal: Refusal | None = None
    fault: Fault | None = None
    duplicate_of: int | None = None
    version: int | None = None
    retires: bool = False

    @property
    def code(self) -> str:
        """`accepted`, `duplicate`, or the code of the refusal or fault."""
        if self.duplicate_of is not None:
            return "duplicate"
        trouble = self.fault or self.refusal
        return trouble.code if trouble else "accepted"


def context_of(envelope: CommandEnvelope, at: int, now: int, entropy: bytes) -> Context:
    """`at` is the command's log time, `now` that of the decision by the owner's clock, both in ms."""
    return Context(
        aggregate=envelope.aggregate,
        principal=envelope.principal,
        command_id=envelope.id,
        human=envelope.human,
        at=at,
        deadlines_from=now if now - at > LATE_DECISION_MS else at,
        entropy=entropy,
        delay_ms=envelope.delay_ms,
    )


def judge(
    decider: Decider[S, C, E], state: S | None, payload: dict[str, Any], context: Context, outages: Outages = NO_OUTAGES
) -> Decision[S, E]:
    """Decides a command; a bad payload and a bug in `decide` become faults that change nothing. `outages` are those of
    the partition up to now."""
    try:
        command = decider.decode_command(payload)
    except ValueError as error:
        return Decision((), state, fault=Fault(code="undecodable", message=describe(error)))
    try:
        return _judge_in_time(decider, state, command, context, outages)
    except Exception as error:  # noqa: BLE001 - whatever a bug raises is this command's outcome
        return Decision((), state, fault=Fault(code="bug", message=f"{type(error).__name__} while deciding"))


def _judge_in_time(
    decider: Decider[S, C, E], state: S | None, command: C, context: Context, outages: Outages
) -> Decision[S, E]:
    """A timeout must be current and due; anything else that was logged after the deadline is decided on the state that
    the timeout leaves."""
    deadline = decider.deadline(state) if state is not None else None
    if deadline is not None and outages.known:
        given_back = outages.given_back(deadline.set_at, deadline.due_at)
        deadline = replace(deadline, due_at=deadline.due_at + given_back)
        context = replace(context, given_back=given_back)
    if isinstance(command, TimeOut):
        refusal = _refuse_timeout(command, deadline, context.at)
        if refusal is not None:
            return Decision((), state, refusal)
    elif deadline is not None and context.at > deadline.due_at:
        before = _time_out(decider, state, deadline, context)
        later = replace(context, entropy=context.draw("after the timeout"), timed_out=deadline, given_back=0)
        after = _follow(decider, before.state, decider.decide(before.state, command, later))
        if before.retires and after.state is not None:
            raise AssertionError("made anew by the very command that finds it retired")
        return replace(after, events=(*before.events, *after.events), retires=before.retires or after.retires)
    return _follow(decider, state, decider.decide(state, command, context))


def _refuse_timeout(command: TimeOut, deadline: Deadline | None, at: int) -> Refusal | None:
    if deadline is None or (command.kind, command.ref) != (deadline.kind, deadline.ref):
        expected = "no deadline" if deadline is None else f"{deadline.kind} {deadline.ref}"
        got = f"{command.kind} {command.ref}"
        message = f"this deadline is not current: expected {expected}, got {got}"
        return Refusal(code="not-current", message=message, expected=expected, got=got)
    if at <= deadline.due_at:
        expected, got = f"after {deadline.due_at}", str(at)
        message = f"this deadline is not due: expected a time {expected}, got {got}"
        return Refusal(code="too-early", message=message, expected=expected, got=got)
    return None


def _time_out(decider: Decider[S, C, E], state: S | None, deadline: Deadline, context: Context) -> Decision[S, E]:
    time_out: Any = TimeOut(kind=deadline.kind, ref=deadline.ref)
    decision = _follow(decider, state, decider.decide(state, time_out, context))
    if decision.refusal is not None:
        raise AssertionError(f"a due deadline was refused: {decision.refusal.code}")
    return decision


def _follow(
    decider: Decider[S, C, E], state: S | None, result: Sequence[E] | Refusal | RefusedAfter[E] | Retired
) -> Decision[S, E]:
    if isinstance(result, Refusal):
        return Decision((), state, result)
    if isinstance(result, Retired):
        return Decision((), None, retires=state is not None)
    if isinstance(result, RefusedAfter):
        return replace(_follow(decider, state, result.events), refusal=result.refusal)
    for event in result:
        state = decider.evolve(state, event)
    return Decision(tuple(result), state)


def describe(error: ValueError) -> str:
    """A pydantic error as one sentence with field, expectation and kind of value; never the whole input."""
    if not isinstance(error, ValidationError):
        return str(error)[:300]
    first = error.errors(include_url=False, include_context=False, include_input=True)[0]
    where = ".".join(str(part) for part in first["loc"]) or "message"
    got = repr(first["input"])
    got = got if len(got) <= 80 and not isinstance(first["input"], dict | list) else type(first["input"]).__name__
    return f"{where}: {first['msg']}, got {got}"
