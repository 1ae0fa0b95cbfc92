"""When the alarms of one partition ring: those of the next hour in buckets of eight seconds, the rest in none.

A calendar queue (R. Brown, CACM 31(10), 1988): arming and disarming cost the same however many there are. What rings
beyond the horizon costs it nothing; all that stands is looked through again, a little at a time, long before the
horizon comes near.
"""

import heapq
from collections.abc import Mapping

from timer.packing import ring_at_of

BUCKET_BITS = 13
"""A bucket is 2^13 ms wide."""
AHEAD_MS = 1 << 21
"""The horizon is moved when it comes nearer than this, to twice as far: 35 and 70 minutes."""
LOOK_SLICE = 1000
STALE_MIN = 1024
_NEVER = -(1 << 63)


class Calendar:
    """Of what stands in `standing`, packed, by aggregate, which belongs to its owner; each `put` and `drop` follows a
    change of it.

    Buckets whose time has begun are opened: what they held lies in one heap, from which what was dropped since is
    skipped when it comes up, and swept out when it may be more than half.
    """

    __slots__ = ("_buckets", "_numbers", "_open", "_opened", "_reached", "_standing", "_swept", "_unseen", "horizon")

    def __init__(self, standing: Mapping[str, bytes]) -> None:
        self._standing = standing
        self._buckets: dict[int, dict[str, None]] = {}
        self._numbers: list[int] = []
        self._open: list[tuple[int, str]] = []
        self._opened = _NEVER
        self._swept = 0
        self._unseen: list[str] = []
        self._reached = _NEVER
        self.horizon = _NEVER
        """In ms of broker time; what rings from here on is in no bucket."""

    @property
    def open_size(self) -> int:
        """How many alarms lie in the heap, those that were dropped included."""
        return len(self._open)

    def put(self, ring_at: int, aggregate: str) -> None:
        if ring_at >= self.horizon:
            return
        number = ring_at >> BUCKET_BITS
        if number <= self._opened:
            heapq.heappush(self._open, (ring_at, aggregate))
            if len(self._open) > STALE_MIN + 2 * self._swept:
                self._sweep()
            return
        bucket = self._buckets.get(number)
        if bucket is None:
            bucket = self._buckets[number] = {}
            heapq.heappush(self._numbers, number)
        bucket[aggregate] = None

    def drop(self, ring_at: int, aggregate: str) -> None:
        bucket = self._buckets.get(ring_at >> BUCKET_BITS)
        if bucket is not None:
            bucket.pop(aggregate, None)

    def before(self, ring_at: int) -> int:
        """How many of the opened buckets were to ring before `ring_at`."""
        return sum(entry[0] < ring_at and self._stands(entry) for entry in self._open)

    # ---- looking ahead

    def look_ahead(self, now: int) -> bool:
        """Looks through a slice of what stands, where it is time to; whether there was any."""
        if not self._unseen:
            if self.horizon - now >= AHEAD_MS:
                return False
            if self.horizon == _NEVER:
                self._opened = now >> BUCKET_BITS
            self._reached, self.horizon = self.horizon, now + 2 * AHEAD_MS
            self._unseen = list(self._standing)
        looked = bool(self._unseen)
        self._look()
        return looked

    def seen(self, now: int) -> bool:
        """Whether all that rings by `now` has been seen. Where a clock has jumped over the horizon, the rest is looked
        through at once."""
        while self._unseen and _NEVER < self._reached <= now:
            self._look()
        return now < (self._reached if self._unseen else self.horizon)

    def _look(self) -> None:
        reached, standing = self._reached, self._standing
        for aggregate in self._unseen[-LOOK_SLICE:]:
            packed = standing.get(aggregate)
            if packed is not None and (ring_at := ring_at_of(packed)[0]) >= reached:
                self.put(ring_at, aggregate)
        del self._unseen[-LOOK_SLICE:]

    # ---- ringing

    def open_until(self, now: int) -> None:
        """Opens the buckets whose time has begun."""
        last = now >> BUCKET_BITS
        if last <= self._opened:
            return
        self._opened = last
        standing = self._standing
        while self._numbers and self._numbers[0] <= last:
            bucket = self._buckets.pop(heapq.heappop(self._numbers))
            self._open += [(ring_at_of(standing[aggregate])[0], aggregate) for aggregate in bucket]
        self._swept = max(self._swept, len(self._open))
        heapq.heapify(self._open)

    def first(self) -> tuple[int, str] | None:
        """The first to ring of the opened buckets: when, in ms of broker time, and whose."""
        while self._open and not self._stands(self._open[0]):
            heapq.heappop(self._open)
        return self._open[0] if self._open else None

    def take_first(self) -> None:
        heapq.heappop(self._open)

    @property
    def next_look(self) -> int | None:
        """When to look again, in ms of broker time: not later than the first alarm rings."""
        if self._unseen:
            return _NEVER
        if not self._standing:
            return None
        first, next_look = self.first(), self.horizon - AHEAD_MS + 1
        if first is not None:
            return min(first[0], next_look)
        return min(self._numbers[0] << BUCKET_BITS, next_look) if self._numbers else next_look

    def _stands(self, entry: tuple[int, str]) -> bool:
        packed = self._standing.get(entry[1])
        return packed is not None and ring_at_of(packed)[0] == entry[0]

    def _sweep(self) -> None:
        self._open = [entry for entry in set(self._open) if self._stands(entry)]
        heapq.heapify(self._open)
        self._swept = len(self._open)
