"""Which aggregates have a deadline, which is due next, and which timeouts are on their way. No I/O, no clock."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bus.decider import Deadline
from bus.outages import NO_OUTAGES, Outages
from bus.records import TopicPartition

TOO_EARLY_MS_MIN = 50
OUTAGE_LOOK_MS = 500
STALE_MIN = 1024


@dataclass(frozen=True, slots=True)
class Alarm:
    """One timeout to send: `due_at` in ms of broker time is when, the deadline's own time is in `deadline`."""

    source: TopicPartition
    aggregate: str
    deadline: Deadline
    due_at: int
    attempt: int = 1

    @property
    def command_id(self) -> str:
        return f"timeout:{self.aggregate}:{self.deadline.ref}:{self.attempt}"


class Alarms:
    """The newest deadline of each aggregate, per partition. A partition that is still being read from its start is
    folded only: its alarms ring from `ready` on, because a deadline met while replaying may have been answered since.

    The heap may hold alarms that have been replaced; they are skipped when they come up, and swept out when they are
    more than half of it.
    """

    def __init__(self) -> None:
        self._alarms: dict[TopicPartition, dict[str, Alarm]] = {}
        self._sent: dict[TopicPartition, dict[str, Alarm]] = {}
        self._outages: dict[TopicPartition, Outages] = {}
        self._ready: set[TopicPartition] = set()
        self._heap: list[tuple[int, int, Alarm]] = []
        self._pushed = 0

    def __len__(self) -> int:
        """How many aggregates have a deadline that has not been sent."""
        return sum(map(len, self._alarms.values()))

    @property
    def heap_size(self) -> int:
        """How many alarms the heap holds, those that have been replaced included."""
        return len(self._heap)

    # ---- partitions

    def gain(self, source: TopicPartition) -> None:
        self._alarms[source], self._sent[source] = {}, {}

    def ready(self, source: TopicPartition) -> None:
        """The partition has been read to its end: its deadlines count from now on."""
        self._ready.add(source)
        self._push(self._alarms[source].values())

    def lose(self, source: TopicPartition) -> None:
        self._ready.discard(source)
        self._alarms.pop(source, None)
        self._sent.pop(source, None)
        self._outages.pop(source, None)

    # ---- deadlines

    def set(
        self, source: TopicPartition, aggregate: str, deadline: Deadline | None, outages: Outages = NO_OUTAGES
    ) -> None:
        """The newest valid outcome of the aggregate says: this deadline stands, or none. `outages` are those of the
        partition, kept up to date by whoever reads it."""
        self._outages[source] = outages
        if deadline is None:
            self._sent[source].pop(aggregate, None)
            self._alarms[source].pop(aggregate, None)
            return
        sent = self._sent[source].get(aggregate)
        if sent is not None and sent.deadline == deadline:
            return
        known = self._alarms[source].get(aggregate)
        if known is not None and known.deadline == deadline:
            return
        self._sent[source].pop(aggregate, None)
        self._arm(Alarm(source, aggregate, deadline, deadline.due_at))

    def sent(self, source: TopicPartition, aggregate: str) -> Alarm | None:
        """The timeout that is on its way to the aggregate."""
        return self._sent[source].get(aggregate)

    def too_early(self, alarm: Alarm, refused_at: int, now: int) -> None:
        """The timeout was refused, by an outcome that was appended at `refused_at`: again after what was missing then,
        under a new id.

        What was missing when the timeout itself was logged says nothing of now: its refusal may have waited as long as
        nobody owned the partition, and it may be the one of an earlier timer's under the same id.
        """
        if self._sent[alarm.source].get(alarm.aggregate) is not alarm:
            return
        del self._sent[alarm.source][alarm.aggregate]
        due_at = now + max(self._effective_due(alarm) - refused_at, TOO_EARLY_MS_MIN)
        self._arm(Alarm(alarm.source, alarm.aggregate, alarm.deadline, due_at, alarm.attempt + 1))

    def _effective_due(self, alarm: Alarm) -> int:
        outages = self._outages.get(alarm.source, NO_OUTAGES)
        return outages.effective_due(alarm.deadline.set_at, alarm.deadline.due_at)

    def _put_off(self, alarm: Alarm, now: int) -> int | None:
        """Until when an outage puts the alarm off: one that has ended, or one that has not yet."""
        deadline, due_at = alarm.deadline, self._effective_due(alarm)
        if due_at >= now:
            return due_at
        outages = self._outages.get(alarm.source, NO_OUTAGES)
        return now + OUTAGE_LOOK_MS if outages.under_way(deadline.set_at, deadline.due_at, now) else None

    def _arm(self, alarm: Alarm) -> None:
        self._alarms[alarm.source][alarm.aggregate] = alarm
        if alarm.source in self._ready:
            self._push((alarm,))

    # ---- ringing

    @property
    def next_due(self) -> int | None:
        """When the next alarm is due, in ms of broker time."""
        while self._heap and not self._stands(self._heap[0][2]):
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def take_due(self, now: int, count: int) -> list[Alarm]:
        """At most `count` alarms whose time is past, the earliest first; they are on their way from now on."""
        due: list[Alarm] = []
        while len(due) < count and (next_due := self.next_due) is not None and next_due < now:
            alarm = heapq.heappop(self._heap)[2]
            put_off = self._put_off(alarm, now)
            if put_off is not None:
                self._arm(replace(alarm, due_at=put_off))
                continue
            del self._alarms[alarm.source][alarm.aggregate]
            self._sent[alarm.source][alarm.aggregate] = alarm
            due.append(alarm)
        return due

    def on_its_way(self, alarm: Alarm) -> bool:
        """Whether nothing has come in between since the alarm was taken."""
        return self._sent.get(alarm.source, {}).get(alarm.aggregate) is alarm

    def _stands(self, alarm: Alarm) -> bool:
        return self._alarms.get(alarm.source, {}).get(alarm.aggregate) is alarm

    def _push(self, alarms: Iterable[Alarm]) -> None:
        for alarm in alarms:
            self._pushed += 1
            heapq.heappush(self._heap, (alarm.due_at, self._pushed, alarm))
        if len(self._heap) > STALE_MIN and len(self._heap) > 2 * len(self):
            self._heap = [entry for entry in self._heap if self._stands(entry[2])]
            heapq.heapify(self._heap)
