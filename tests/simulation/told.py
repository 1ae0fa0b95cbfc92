"""What is remembered of an outcome, of a record, and of an aggregate; and the one thing that nobody may find."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bus.decider import Deadline
from bus.header import OutcomeHeader
from bus.records import TopicPartition


class Violation(Exception):
    """An invariant does not hold. The text begins with the invariant's name."""


class Standing(NamedTuple):
    """The rule's state behind one record, and whether that record counts. `outages` are how many had ended by then."""

    counts: bool
    claim_offset: int
    owner: bytes
    next_command: int
    outages: int


@dataclass(slots=True)
class Told:
    """One valid outcome, and what was answered."""

    partition: TopicPartition
    offset: int
    header: OutcomeHeader
    body: dict[str, Any]

    @property
    def code(self) -> str | None:
        trouble = self.body.get("refusal") or self.body.get("fault")
        return trouble["code"] if trouble else None


@dataclass(slots=True)
class Aggregate:
    version: int = 0
    state: Any = None
    deadline: Deadline | None = None
    set_under: int = -1
    """The claim under which the deadline was set."""
    states: dict[int, tuple[Any, Told, float]] = field(default_factory=dict)
    deadlines: set[str] = field(default_factory=set)
    timed_out: set[str] = field(default_factory=set)
