"""Given these events, when this command, then those events: the way to test a decider, time rule included."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self

from bus.decider import C, Decider, E, S
from bus.judging import Decision, context_of, judge
from contracts.envelope import CommandEnvelope, TimeOut

ENTROPY = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Then(Generic[S, E]):
    """What came of the command."""

    decision: Decision[S, E]

    def then(self, *events: E) -> None:
        """Exactly these events."""
        assert self.decision.code == "accepted", self.decision
        assert list(self.decision.events) == list(events)

    def refused(self, code: str, *events: E) -> None:
        """This refusal, and exactly these events all the same."""
        assert self.decision.code == code, self.decision
        assert self.decision.events == events
        assert self.decision.refusal is not None
        assert self.decision.refusal.message

    def nothing(self) -> None:
        """Accepted, and nothing changed."""
        self.then()


class Given(Generic[S, C, E]):
    """An aggregate after some events."""

    def __init__(self, decider: Decider[S, C, E], aggregate: str, events: Sequence[E]) -> None:
        self._decider = decider
        self._aggregate = aggregate
        self.state: S | None = None
        self._fold(events)

    def _fold(self, events: Sequence[E]) -> None:
        for event in events:
            self.state = self._decider.evolve(self.state, event)

    def when(self, command: Any, *, by: str, at: int = 0, decided_at: int | None = None, **sent: Any) -> Then[S, E]:
        """`by` sends `command` (a message) at log time `at` in ms; the state stays as it was. `sent`: what else the
        envelope says."""
        envelope = CommandEnvelope(
            id="one", principal=by, aggregate=self._aggregate, command=command.model_dump(), **sent
        )
        context = context_of(envelope, at, at if decided_at is None else decided_at, ENTROPY)
        return Then(judge(self._decider, self.state, envelope.command, context))

    def after(self, command: Any, *, by: str, at: int = 0, **sent: Any) -> Self:
        """Does the command and goes on from there."""
        decision = self.when(command, by=by, at=at, **sent).decision
        assert decision.code == "accepted", decision
        self._fold(decision.events)
        return self

    def when_due(self, *, late_ms: int = 1) -> Then[S, E]:
        """The timer's command for the current deadline, `late_ms` after it."""
        assert self.state is not None
        deadline = self._decider.deadline(self.state)
        assert deadline is not None
        time_out = TimeOut(kind=deadline.kind, ref=deadline.ref)
        return self.when(time_out, by="timer", at=deadline.due_at + late_ms)
