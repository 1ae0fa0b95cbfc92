"""The alarms of one partition: what its aggregates wait for, and which timeouts are on their way to them."""

from bus.decider import Deadline
from bus.outages import NO_OUTAGES, Outages
from bus.records import TopicPartition
from timer.calendar import Calendar
from timer.packing import (
    attempt_of,
    first_ringing,
    kind_of,
    repeats,
    ring_at_of,
    ringing,
    standing,
    stands_of,
    times_of,
)

TOO_EARLY_MS_MIN = 50
OUTAGE_LOOK_MS = 500
OVERDUE_MS = 1000
"""So late a timeout may be without anybody asking why."""


class Shelf:
    """`outages` are the partition's, kept up to date by whoever reads it. `changes` counts what the log has
    changed since the position `restored_from`, where a snapshot stands.

    Nothing rings before the partition has been read to its end (`ready`) and all that stands has been looked through,
    nor while it is `held` because very many timeouts are being sent.
    """

    __slots__ = (
        "_calendar",
        "_kinds",
        "_quiet_until",
        "_sent",
        "_standing",
        "changes",
        "held",
        "outages",
        "ready",
        "restored_from",
        "source",
    )

    def __init__(self, source: TopicPartition, restored_from: int = 0) -> None:
        self.source = source
        self.restored_from = restored_from
        self.outages: Outages = NO_OUTAGES
        self.ready = self.held = False
        self.changes = 0
        self._standing: dict[str, bytes] = {}
        self._sent: dict[str, bytes] = {}
        self._kinds: dict[bytes, int] = {}
        self._calendar = Calendar(self._standing)
        self._quiet_until: int | None = None

    def __len__(self) -> int:
        """How many aggregates wait for a deadline that has not been sent."""
        return len(self._standing)

    @property
    def kinds(self) -> dict[str, int]:
        """How many of them wait for each kind of deadline."""
        return {kind.decode(): count for kind, count in self._kinds.items()}

    @property
    def on_their_way(self) -> int:
        return len(self._sent)

    @property
    def open_size(self) -> int:
        return self._calendar.open_size

    def overdue(self, now: int) -> int:
        """How many were due more than a second ago and have not been sent, an outage's among them."""
        return self._calendar.before(now - OVERDUE_MS) if self.ready else 0

    # ---- deadlines

    def restore(self, aggregate: str, stands: bytes) -> None:
        """A snapshot says what the aggregate waits for, as `packing.standing` has it. Only while nothing has been set
        and nothing can ring."""
        packed = self._standing[aggregate] = first_ringing(stands)
        self._count(packed, 1)

    def set(self, aggregate: str, deadline: Deadline | None) -> None:
        """The newest valid outcome of the aggregate says: this deadline stands, or none."""
        known = self._standing.get(aggregate)
        if deadline is None:
            if known is not None:
                self._disarm(aggregate, known)
                self.changes += 1
            elif self._sent and self._sent.pop(aggregate, None) is not None:
                self.changes += 1
            return
        stands = standing(deadline)
        if known is not None:
            if repeats(known, stands):
                return
            self._disarm(aggregate, known)
        elif self._sent:
            sent = self._sent.get(aggregate)
            if sent is not None:
                if repeats(sent, stands):
                    return
                del self._sent[aggregate]
        self.changes += 1
        self._arm(aggregate, first_ringing(stands))

    def sent(self, aggregate: str) -> bytes | None:
        """The timeout that is on its way to the aggregate, packed."""
        return self._sent.get(aggregate)

    def too_early(self, aggregate: str, refused_at: int, now: int) -> None:
        """The timeout on its way was refused by an outcome appended at `refused_at`: again after what was missing."""
        packed = self._sent.pop(aggregate)
        ring_at = now + max(self._effective_due(packed) - refused_at, TOO_EARLY_MS_MIN)
        self._arm(aggregate, ringing(ring_at, attempt_of(packed) + 1, stands_of(packed)))

    def _arm(self, aggregate: str, packed: bytes) -> None:
        self._standing[aggregate] = packed
        self._count(packed, 1)
        self._calendar.put(ring_at_of(packed)[0], aggregate)

    def _disarm(self, aggregate: str, packed: bytes) -> None:
        """The next name of the aggregate is another object: were the old one kept, both would be."""
        del self._standing[aggregate]
        self._count(packed, -1)
        self._calendar.drop(ring_at_of(packed)[0], aggregate)

    def _count(self, packed: bytes, change: int) -> None:
        kind = kind_of(packed)
        self._kinds[kind] = self._kinds.get(kind, 0) + change

    # ---- ringing

    def look_ahead(self, now: int) -> bool:
        """Looks through a slice of what stands, where it is time to; whether there was any."""
        return self.ready and self._calendar.look_ahead(now)

    def next_due(self, now: int) -> int | None:
        """When the first alarm was due, if one is by `now`; all in ms of broker time."""
        if not self.ready or self.held or not self._calendar.seen(now) or self._is_quiet(now):
            return None
        self._calendar.open_until(now)
        first = self._calendar.first()
        return first[0] if first is not None and first[0] < now else None

    def _is_quiet(self, now: int) -> bool:
        """A rest that seems longer than any was begun by a clock that was ahead, and has been set right since."""
        if self._quiet_until is not None and self._quiet_until > now + OUTAGE_LOOK_MS:
            self._quiet_until = None
        return self._quiet_until is not None and self._quiet_until > now

    @property
    def next_look(self) -> int | None:
        """When it is to be looked at again, in ms of broker time: not later than its first alarm rings."""
        next_look = self._calendar.next_look if self.ready and not self.held else None
        if next_look is None or self._quiet_until is None:
            return next_look
        return max(next_look, self._quiet_until)

    def take(self, now: int) -> tuple[str, bytes] | None:
        """The first alarm, which has to be due: its aggregate, and it is on its way from now on. None where an outage
        puts it off."""
        first = self._calendar.first()
        assert first is not None
        aggregate = first[1]
        packed = self._standing[aggregate]
        set_at, due_at = times_of(packed)
        effective_due = self.outages.effective_due(set_at, due_at)
        if effective_due < now and self.outages.under_way(set_at, due_at, now):
            self._quiet_until = now + OUTAGE_LOOK_MS  # nobody can decide, and when it ends all lies elsewhere
            return None
        self._quiet_until = None
        self._calendar.take_first()
        self._disarm(aggregate, packed)
        if effective_due >= now:
            self._arm(aggregate, ringing(effective_due, attempt_of(packed), stands_of(packed)))
            return None
        self._sent[aggregate] = packed
        return aggregate, packed

    def _effective_due(self, packed: bytes) -> int:
        return self.outages.effective_due(*times_of(packed))

    # ---- snapshots

    def names(self) -> list[str]:
        """Whoever waits for something, answered or not."""
        return [*self._standing, *self._sent]

    def stands(self, aggregate: str) -> bytes | None:
        """What it waits for by now, as `packing.standing` has it."""
        packed = self._standing.get(aggregate) or self._sent.get(aggregate)
        return None if packed is None else stands_of(packed)
