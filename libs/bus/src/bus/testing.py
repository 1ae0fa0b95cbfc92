"""Given-when-then for any decider: `given(decider, events).when(command).then(events)`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from bus.decider import C, Decider, E, S
from bus.judging import Decision, context_of, judge
from contracts.envelope import CommandEnvelope

AGGREGATE = "a-1"
ENTROPY = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Then(Generic[S, E]):
    """The decision, and what a test may expect of it. Everything is compared exactly."""

    decision: Decision[S, E]

    def then(self, *events: E) -> "Then[S, E]":
        assert self.decision.refusal is None, f"expected events, got the refusal {self.decision.refusal}"
        assert self.decision.fault is None, f"expected events, got the fault {self.decision.fault}"
        assert list(self.decision.events) == list(events)
        return self

    def refused(self, code: str) -> "Then[S, E]":
        assert self.decision.refusal is not None, f"expected a refusal, got {self.decision.events}"
        assert self.decision.refusal.code == code
        return self

    def faulted(self, code: str) -> "Then[S, E]":
        assert self.decision.fault is not None, f"expected a fault, got {self.decision.code}"
        assert self.decision.fault.code == code
        return self

    def nothing(self) -> "Then[S, E]":
        return self.then()

    @property
    def events(self) -> tuple[E, ...]:
        return self.decision.events

    @property
    def state(self) -> S | None:
        return self.decision.state


@dataclass(frozen=True, slots=True)
class Given(Generic[S, C, E]):
    """An aggregate after `events`, at log time `at` ms."""

    decider: Decider[S, C, E]
    past: Sequence[E] = ()
    at: int = 1_000_000
    principal: str = "tester"
    entropy: bytes = ENTROPY
    aggregate: str = AGGREGATE
    human: bool = True

    def when(self, command: Any, *, at: int | None = None, by: str | None = None, now: int | None = None) -> Then[S, E]:
        """Decides `command` (a message or its payload) as the runtime does, time rule included."""
        state: S | None = None
        for event in self.past:
            state = self.decider.evolve(state, event)
        payload = command if isinstance(command, dict) else command.model_dump()
        moment = self.at if at is None else at
        envelope = CommandEnvelope(
            id="c-1", principal=by or self.principal, aggregate=self.aggregate, command=payload, human=self.human
        )
        context = context_of(envelope, moment, moment if now is None else now, self.entropy)
        return Then(judge(self.decider, state, payload, context))


def given(decider: Decider[S, C, E], *events: E, **settings: Any) -> Given[S, C, E]:
    return Given(decider, events, **settings)
