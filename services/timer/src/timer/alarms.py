"""Which aggregates have a deadline, which is due next, and which timeouts are on their way. No I/O, no clock."""

import heapq
from collections import Counter
from dataclasses import dataclass

from bus.decider import Deadline
from bus.outages import NO_OUTAGES, Outages
from bus.records import TopicPartition
from timer.packing import attempt_of, deadline_of, ring_at_of
from timer.shelf import Shelf

STEPS_MAX = 2000
LOOKS_MAX = 4
"""So much is done in a few milliseconds: alarms that are due, and slices of what stands looked through."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """One timeout to send; `packed` as `timer.packing` has it."""

    source: TopicPartition
    aggregate: str
    packed: bytes

    @property
    def deadline(self) -> Deadline:
        return deadline_of(self.packed)

    @property
    def due_at(self) -> int:
        """When it was to be sent, in ms of broker time; the deadline's own time is in `deadline`."""
        due_at: int = ring_at_of(self.packed)[0]
        return due_at

    @property
    def attempt(self) -> int:
        return attempt_of(self.packed)

    @property
    def command_id(self) -> str:
        return f"timeout:{self.aggregate}:{self.deadline.ref}:{self.attempt}"


class Alarms:
    """The newest deadline of each aggregate, per partition. A partition that is still being read from its start is
    folded only: its alarms ring from `ready` on, because a deadline met while replaying may have been answered since.
    """

    def __init__(self) -> None:
        self._shelves: dict[TopicPartition, Shelf] = {}

    def __len__(self) -> int:
        """How many aggregates have a deadline that has not been sent."""
        return sum(map(len, self._shelves.values()))

    # ---- partitions

    def gain(self, source: TopicPartition, restored: Shelf | None = None) -> None:
        """The partition is to be read, from its start or from where the snapshot stands that has been `restored`."""
        self._shelves[source] = Shelf(source) if restored is None else restored

    def ready(self, source: TopicPartition, outages: Outages = NO_OUTAGES) -> None:
        """The partition, whose outages are known by now, has been read to its end: its deadlines count from now on."""
        shelf = self._shelves[source]
        shelf.outages = outages
        shelf.ready = True

    def lose(self, source: TopicPartition) -> None:
        self._shelves.pop(source, None)

    @property
    def sources(self) -> list[TopicPartition]:
        return sorted(self._shelves)

    def shelf(self, source: TopicPartition) -> Shelf | None:
        return self._shelves.get(source)

    # ---- deadlines

    def set(
        self, source: TopicPartition, aggregate: str, deadline: Deadline | None, outages: Outages = NO_OUTAGES
    ) -> None:
        """The newest valid outcome of the aggregate says: this deadline stands, or none. `outages` are those of the
        partition, kept up to date by whoever reads it."""
        shelf = self._shelves[source]
        shelf.outages = outages
        shelf.set(aggregate, deadline)

    def sent(self, source: TopicPartition, aggregate: str) -> Alarm | None:
        """The timeout that is on its way to the aggregate."""
        packed = self._shelves[source].sent(aggregate)
        return None if packed is None else Alarm(source, aggregate, packed)

    def too_early(self, alarm: Alarm, refused_at: int, now: int) -> None:
        """The timeout was refused, by an outcome that was appended at `refused_at`: again after what was missing then,
        under a new id.

        What was missing when the timeout itself was logged says nothing of now: its refusal may have waited as long as
        nobody owned the partition, and it may be the one of an earlier timer's under the same id.
        """
        if self.on_its_way(alarm):
            self._shelves[alarm.source].too_early(alarm.aggregate, refused_at, now)

    # ---- ringing

    @property
    def next_look(self) -> int | None:
        """When to look at the alarms again, in ms of broker time: not later than the next one rings."""
        looks = [look for shelf in self._shelves.values() if shelf.ready and (look := shelf.next_look) is not None]
        return min(looks, default=None)

    def take_due(self, now: int, count: int) -> list[Alarm]:
        """At most `count` alarms whose time is past, the earliest first; they are on their way from now on. Where there
        are very many, fewer come than there are: `next_look` says that the rest is waiting."""
        self._look_ahead(now)
        ringing = [
            (due_at, source) for source, shelf in self._shelves.items() if (due_at := shelf.next_due(now)) is not None
        ]
        heapq.heapify(ringing)
        due: list[Alarm] = []
        for _ in range(STEPS_MAX):
            if not ringing or len(due) >= count:
                break
            source = ringing[0][1]
            shelf = self._shelves[source]
            taken = shelf.take(now)
            if taken is not None:
                due.append(Alarm(source, *taken))
            if (due_at := shelf.next_due(now)) is not None:
                heapq.heapreplace(ringing, (due_at, source))
            else:
                heapq.heappop(ringing)
        return due

    def _look_ahead(self, now: int) -> None:
        looks = 0
        for shelf in self._shelves.values():
            looks += shelf.look_ahead(now)
            if looks >= LOOKS_MAX:
                break

    def on_its_way(self, alarm: Alarm) -> bool:
        """Whether nothing has come in between since the alarm was taken."""
        shelf = self._shelves.get(alarm.source)
        return shelf is not None and shelf.sent(alarm.aggregate) is alarm.packed

    # ---- what there is

    def armed(self) -> Counter[tuple[str, str]]:
        """How many aggregates wait, by decider and kind of deadline; a kind that nobody waits for any more counts 0."""
        armed: Counter[tuple[str, str]] = Counter()
        for source, shelf in self._shelves.items():
            for kind, count in shelf.kinds.items():
                armed[decider_of(source), kind] += count
        return armed

    def overdue(self, now: int) -> Counter[str]:
        """How many should have been sent more than a second ago and are not, by decider."""
        overdue: Counter[str] = Counter()
        for source, shelf in self._shelves.items():
            overdue[decider_of(source)] += shelf.overdue(now)
        return overdue

    def unanswered(self) -> Counter[str]:
        """How many timeouts are on their way, by decider."""
        unanswered: Counter[str] = Counter()
        for source, shelf in self._shelves.items():
            unanswered[decider_of(source)] += shelf.on_their_way
        return unanswered


def decider_of(source: TopicPartition) -> str:
    return source.topic.removesuffix(".events")
