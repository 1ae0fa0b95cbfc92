"""Which deadlines stand in one event partition, folded by the shared rule from headers alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bus.decider import Deadline
from bus.outages import OUTAGE_MS
from bus.outcomes import PartitionFold
from bus.records import Record, TopicPartition
from capicua.server.timers.lately import LatelyEnded
from timer.shelf import OVERDUE_MS


class Standing(NamedTuple):
    """A deadline that stands. `due_at` is its effective one in ms of log time, with all that outages have given back;
    `put_off`: it falls due later, because nobody owns the partition now."""

    source: TopicPartition
    aggregate: str
    deadline: Deadline
    due_at: int
    put_off: bool

    def overdue_ms(self, now: int) -> int:
        """For how long, in ms, it has been due; 0 up to a second, while nobody needs to ask why."""
        late = now - self.due_at
        return late if late > OVERDUE_MS and not self.put_off else 0


@dataclass(slots=True)
class Partition:
    """The newest valid outcome of each aggregate says which deadline stands. Those that ended late go to `ended`."""

    fold: PartitionFold
    ended: LatelyEnded
    deadlines: dict[str, Deadline] = field(default_factory=dict)

    @property
    def source(self) -> TopicPartition:
        return self.fold.source

    @property
    def position(self) -> int:
        return self.fold.position

    @property
    def heard_at(self) -> int | None:
        """When an owner was heard last, in ms of log time."""
        return self.fold.validity.outages.heard_at

    def take(self, records: Sequence[Record]) -> None:
        """Folds the next records."""
        for outcome in self.fold.all(records):
            deadline = outcome.deadline
            before = self.deadlines.get(outcome.aggregate)
            if before == deadline:
                continue
            if before is not None:
                self.ended.note(before, outcome)
            if deadline is None:
                del self.deadlines[outcome.aggregate]
            else:
                self.deadlines[outcome.aggregate] = deadline

    def standing(self, now: int) -> Iterator[Standing]:
        """All of them, in no order, as they stand at the log time `now`."""
        outages = self.fold.validity.outages
        for aggregate, deadline in self.deadlines.items():
            times = deadline.set_at, deadline.due_at
            yield Standing(
                self.source, aggregate, deadline, outages.effective_due(*times), outages.under_way(*times, now)
            )

    def silent_ms(self, now: int) -> int:
        """For how long deadlines have waited for an owner of the partition; 0 when there is one, or nothing waits."""
        if self.heard_at is None or not self.deadlines or now - self.heard_at <= OUTAGE_MS:
            return 0
        return now - self.heard_at
