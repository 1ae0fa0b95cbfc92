"""How late deadlines took effect that ended lately."""

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bus.decider import Deadline
from bus.outcomes import MalformedBody, Outcome
from capicua.server.audit.aggregate import TIMER

LATELY = 1000
"""So many of each decider are kept, and no other body is read."""


class Ended(NamedTuple):
    """`outcome` was appended after `due_at`, the effective time of a deadline that stood before it and not after it."""

    logged_at: int
    number: int
    kind: str
    due_at: int
    outcome: Outcome


class Spread(NamedTuple):
    """Percentiles and the largest, all in ms."""

    p50: int
    p99: int
    max: int


@dataclass(slots=True)
class Lateness:
    """Of deadlines of one kind. `asked` says how long after each the timer's timeout was logged, `effective` how long
    after it the outcome that accepts it; `by_others` were ended by somebody's command that was logged late itself."""

    asked: list[int] = field(default_factory=list)
    effective: list[int] = field(default_factory=list)
    by_others: int = 0


class LatelyEnded:
    """The newest of one decider by log time. What a player did in the very last moment is among them until its body is
    read: the header of its outcome does not say when its command was logged."""

    def __init__(self) -> None:
        self._newest: list[Ended] = []
        self._count = 0

    def note(self, deadline: Deadline, outcome: Outcome) -> None:
        """`deadline` stood before `outcome`."""
        due_at = outcome.outages.effective_due(deadline.set_at, deadline.due_at)
        if outcome.logged_at <= due_at:
            return
        self._count += 1
        ended = Ended(outcome.logged_at, self._count, deadline.kind, due_at, outcome)
        if len(self._newest) < LATELY:
            heapq.heappush(self._newest, ended)
        else:
            heapq.heappushpop(self._newest, ended)

    def __iter__(self) -> Iterator[Ended]:
        return iter(self._newest)

    def by_kind(self) -> dict[str, Lateness]:
        """Reads the bodies; one that cannot be read says nothing."""
        found: dict[str, Lateness] = {}
        for ended in self._newest:
            try:
                fields = ended.outcome.fields()
            except MalformedBody:
                continue
            if fields["at"] <= ended.due_at:
                continue
            lateness = found.setdefault(ended.kind, Lateness())
            if fields["principal"] == TIMER:
                lateness.asked.append(fields["at"] - ended.due_at)
                lateness.effective.append(ended.logged_at - ended.due_at)
            else:
                lateness.by_others += 1
        return found


def spread(values: Sequence[int]) -> Spread | None:
    """By nearest rank; None of no values."""
    if not values:
        return None
    ordered = sorted(values)
    p50, p99 = (ordered[math.ceil(len(ordered) * share) - 1] for share in (0.5, 0.99))
    return Spread(p50, p99, ordered[-1])
