"""Restoring a partition: its snapshot if there is one to be trusted, then the log up to its end."""

import logging
from collections.abc import Awaitable, Callable
from typing import Generic

from bus import telemetry
from bus.aggregate import Aggregate, Frozen
from bus.continuity import check_end, check_founding
from bus.decider import C, Decider, E, S
from bus.inbox import Inbox
from bus.parts import Parts
from bus.records import TopicPartition
from bus.shard import Shard
from bus.snapshots import Marker, Snapshot, UnreadableSnapshot, load
from bus.snapshots.records import StateCodec
from bus.validity import Validity

log = logging.getLogger(__name__)

SLICE_SECONDS = 0.008
SLICE_AGGREGATES = 2000
END_POLLS_MAX = 20
"""A new leader of the partition may take a moment to know how far it is durable."""
END_POLL_SECONDS = 0.2
PROGRESS_SECONDS = 5.0
UNFOUNDED = "%s:%d does not begin with a founding record: nobody could tell if it was deleted and made again"


class Restoring(Generic[S, C, E]):
    """One restore of one partition into `shard`. `arrival` waits for records in `inbox`; `check` raises when the
    process has stood still."""

    def __init__(
        self,
        parts: Parts,
        decider: Decider[S, C, E],
        shard: Shard[S, C, E],
        inbox: Inbox,
        arrival: Callable[[], Awaitable[None]],
        check: Callable[[], None],
    ) -> None:
        self._parts = parts
        self._decider = decider
        self._shard = shard
        self._events = shard.fold.source
        self._inbox = inbox
        self._arrival = arrival
        self._check = check
        self.snapshot: Snapshot = Snapshot()
        self._began_at = self._said_at = parts.clock.monotonic()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return self._parts.clock.monotonic() - self._began_at

    async def load(self, *, trusted: bool) -> None:
        """Puts the newest snapshot into the shard, if it can be used and is `trusted`. Raises `LogUnavailable`."""

        def why_unusable(marker: Marker) -> str | None:
            return self._why_unusable(marker) if trusted else "it did not agree with its log"

        self.snapshot = await load(self._parts, self._decider.name, self._events.partition, why_unusable)
        if self.snapshot.marker is None:
            return
        self._shard.adopt(self.snapshot.marker)
        thaw = StateCodec(self._decider).thaw
        for count, (name, loaded) in enumerate(self.snapshot.aggregates.items()):
            frozen = Frozen(loaded.content, thaw)
            self._shard.aggregates[name] = Aggregate(loaded.version, loaded.as_of, frozen)
            if count % SLICE_AGGREGATES == 0:
                await self._parts.tasks.sleep(0)
        self.snapshot.aggregates.clear()
        log.info("%s:%d: %d aggregates after %.1f s", *self._events, len(self._shard.aggregates), self.seconds)

    def _why_unusable(self, marker: Marker) -> str | None:
        if marker.snapshot_version != self._decider.snapshot_version:
            return f"expected states of version {self._decider.snapshot_version}, got {marker.snapshot_version}"
        if marker.quarantined:
            return f"{marker.quarantined} aggregates of it could not be folded, maybe they can be now"
        return None

    async def fold(self) -> None:
        """Folds the log up to where it ends now. Raises `LogUnavailable`, and `WrongLog` when it is not the log that
        the newest marker knows."""
        end = await self._end()
        if self.snapshot.newest is not None and end > 0:
            check_founding(self._events, self.snapshot.newest.validity.log_id, await self._founding())
        self._inbox.seek(self._shard.fold.position)
        while self._shard.fold.position < end:
            await self.fold_waiting()
            self._say(end)
        if end > 0 and self._shard.fold.validity.log_id is None:
            log.error(UNFOUNDED, *self._events)
            telemetry.alarms.add(1, {"kind": "unfounded-log"})

    async def fold_waiting(self, up_to: bytes | None = None) -> None:
        """Folds what waits in the inbox, in slices that leave the loop to others; waits when nothing does.

        Stops right behind the claim of owner `up_to`: another claim there is for the owner to see.
        """
        if not len(self._inbox):
            await self._arrival()
        shard, before = self._shard, self._shard.fold.position
        until = self._parts.clock.monotonic() + SLICE_SECONDS
        while (record := self._inbox.take()) is not None:
            shard.restore(record)
            if shard.alarms:
                ring(shard)
            if shard.fold.validity.owner == up_to or self._parts.clock.monotonic() > until:
                break
        telemetry.restored.add(shard.fold.position - before, {"topic": self._events.topic, "kind": "log"})
        await self._parts.tasks.sleep(0)
        self._check()

    async def read_back(self, check: Callable[[], None], owner: bytes | None = None) -> None:
        """Folds up to the claim of `owner`, or to the first record there is. `check` raises when what was appended can
        no longer be believed."""
        fold = self._shard.fold
        while fold.position == 0 or (owner is not None and fold.validity.owner != owner):
            check()
            await self.fold_waiting(owner)

    async def check_digest(self) -> None:
        """Once the log is folded up to the claim: do the snapshot's aggregates and the log's own digest agree? Raises
        `UnreadableSnapshot`."""
        if self.snapshot.marker is None:
            return
        names, total = list(self._shard.aggregates), 0
        for start in range(0, len(names), SLICE_AGGREGATES):
            total ^= self._shard.digest_of_aggregates(names[start : start + SLICE_AGGREGATES])
            await self._parts.tasks.sleep(0)
        if total != self._shard.digest:
            telemetry.alarms.add(1, {"kind": "snapshot"})
            raise UnreadableSnapshot("a restored snapshot does not reproduce the digest of its log")

    # ---- the log

    async def _end(self) -> int:
        """Where the log ends, not before the newest marker."""
        position = self.snapshot.newest.position if self.snapshot.newest is not None else 0
        _, end = await bounds_reaching(self._parts, self._events, position)
        check_end(self._events, position, end)
        return end

    async def _founding(self) -> bytes | None:
        """The id in the log's very first record."""
        self._inbox.seek(0)
        while (first := self._inbox.take()) is None:
            await self._arrival()
        validity = Validity()
        validity.judge(first)
        return validity.log_id

    def _say(self, end: int) -> None:
        position, now = self._shard.fold.position, self._parts.clock.monotonic()
        if now - self._said_at < PROGRESS_SECONDS or position >= end:
            return
        self._said_at = now
        aggregates = len(self._shard.aggregates)
        log.info("%s:%d: %d of %d records, %d aggregates so far", *self._events, position, end, aggregates)


def ring(shard: Shard[S, C, E]) -> None:
    """What the shard wants people to look at."""
    for alarm in shard.alarms:
        log.error("%s", alarm)
        telemetry.alarms.add(1, {"kind": "shard"})
    shard.alarms.clear()


async def bounds_reaching(parts: Parts, partition: TopicPartition, position: int) -> tuple[int, int]:
    """The partition's bounds; asked again for some seconds while they end before `position`: a broker that has just
    become the leader, or has just ceased to be it, tells of an earlier end than there is. Raises `LogUnavailable`."""
    begin, end = await parts.log.bounds(partition)
    for _ in range(END_POLLS_MAX):
        if end >= position:
            break
        await parts.tasks.sleep(END_POLL_SECONDS)
        begin, end = await parts.log.bounds(partition)
    return begin, end
