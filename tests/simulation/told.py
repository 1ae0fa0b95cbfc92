"""What is remembered of an outcome, of a record, and of an aggregate; and the one thing that nobody may find."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from bus.decider import Deadline
from bus.header import OutcomeHeader
from bus.records import TopicPartition


class Violation(Exception):
    """An invariant does not hold. The text begins with the invariant's name."""


Outages = tuple[tuple[int, int], ...]
"""Those that a reader must know: from when on, and up to when, in log ms."""


class Standing(NamedTuple):
    """The rule's state behind one record, and whether that record counts."""

    counts: bool
    claim_offset: int
    owner: bytes
    next_command: int
    outages: Outages


@dataclass(slots=True)
class Told:
    """One valid outcome, and what was answered."""

    partition: TopicPartition
    offset: int
    header: OutcomeHeader
    body: dict[str, Any]
    command: dict[str, Any] | None = None
    """The envelope that it answers, None where that cannot be read."""

    @property
    def decides(self) -> bool:
        """Whether its command was understood, and decided for the first time."""
        return self.body.get("duplicate_of") is None and self.body.get("fault") is None

    @property
    def code(self) -> str | None:
        trouble = self.body.get("refusal") or self.body.get("fault")
        return trouble["code"] if trouble else None


@dataclass(slots=True)
class Sitting:
    """What a table's commands and events have told of its people's time: when a person acted last, in log ms; by
    account the longest delay that was measured; by turn and by seat the ms that were credited."""

    acted_at: int = 0
    delays: dict[str, int] = field(default_factory=dict)
    by_turn: Counter[int] = field(default_factory=Counter)
    by_seat: Counter[int] = field(default_factory=Counter)


@dataclass(slots=True)
class Aggregate:
    version: int = 0
    state: Any = None
    deadline: Deadline | None = None
    set_under: int = -1
    """The claim under which the deadline was set."""
    states: dict[int, tuple[Any, Told, float]] = field(default_factory=dict)
    deadlines: dict[str, Deadline] = field(default_factory=dict)
    """All that it ever had, by reference; the one that is due first where one was put off."""
    timed_out: set[str] = field(default_factory=set)
    sitting: Sitting = field(default_factory=Sitting)


def broken(invariant: str, told: Told, what: str) -> NoReturn:
    where = f"{told.partition.topic}:{told.partition.partition}:{told.offset}"
    raise Violation(f"{invariant}: the outcome at {where} {what}")
