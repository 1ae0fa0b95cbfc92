"""Writes snapshots of a partition that this process owns, beside its work and never in its way."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from bus import telemetry
from bus.aggregate import Aggregate
from bus.decider import C, Decider, E, S
from bus.parts import Parts
from bus.records import LogWriter, NewRecord, TopicPartition
from bus.snapshots.loading import Snapshot
from bus.snapshots.marker import Marker
from bus.snapshots.records import RecordKey, StateCodec, chunks_of

log = logging.getLogger(__name__)

SNAPSHOT_SECONDS = 60.0
FOLDED_MIN = 1000
"""So many records are folded in no time."""
SLICE_SECONDS = 0.004
UNCONFIRMED_MAX = 500
SETTLE_SECONDS = 0.01
SETTLE_TRIES_MAX = 100
APPEND_SECONDS_MAX = 8.0

_Unsent = tuple[TopicPartition, bytes, bytes | None]


class SnapshotFailed(Exception):
    """This round wrote no marker; the one before stands. Carries the kind of trouble."""


@dataclass(frozen=True, slots=True)
class Owned(Generic[S]):
    """What a writer sees of its owner. `mark` describes the confirmed fold as it is now (its counts are filled in
    here); `take_changed` gives what the log has confirmed to be changed since it was last asked; `settle(wanted)` keeps
    the owner from deciding while it is wanted. `retired` has what has left memory, by which event offset, or -1 before
    the log has confirmed it; what a snapshot tells of it the writer takes out."""

    aggregates: dict[str, Aggregate[S]]
    retired: dict[str, int]
    take_changed: Callable[[], Iterable[str]]
    mark: Callable[[], Marker]
    settle: Callable[[bool], None]


class SnapshotWriter(Generic[S, C, E]):
    """One claim's snapshots: the first is full, later ones hold what has changed.

    Only states that the log has confirmed are written. An aggregate that has a decision under way is waited for, and
    an owner that never rests is asked to.
    """

    def __init__(
        self, parts: Parts, decider: Decider[S, C, E], partition: int, owned: Owned[S], before: Snapshot
    ) -> None:
        self._parts = parts
        self._decider = decider
        self._partition = partition
        self._owned = owned
        self._codec = StateCodec(decider)
        self._records = TopicPartition(f"{decider.name}.snapshots", partition)
        self._markers = TopicPartition(f"{decider.name}.markers", partition)
        self._known = before.newest is not None
        self._folded_from = before.marker.position if before.marker is not None else 0
        self._rubbish = list(before.others)
        self._old_markers = list(before.other_markers)
        self._keys: dict[str, list[bytes]] = {}
        self._unwritten: dict[str, None] | None = None
        self._writer: LogWriter | None = None

    async def run(self, seconds: float) -> None:
        """A snapshot every `seconds`, until cancelled. One that fails is made up for by the next.

        The first is written at once where no marker has known the log yet, lest it be made again unnoticed; and where
        the claim had more records to fold than the snapshot will hold: owners that do not live long would leave ever
        more of them to each other.
        """
        folded = self._owned.mark().position - self._folded_from
        at_once = not self._known or folded > max(FOLDED_MIN, len(self._owned.aggregates))
        pause = 0.0 if at_once else seconds
        try:
            while True:
                await self._parts.tasks.sleep(pause)
                pause = seconds
                try:
                    await self.write()
                except SnapshotFailed as error:
                    log.warning("no snapshot of %s partition %d: %s", self._decider.name, self._partition, error)
                    telemetry.snapshots.add(1, {"decider": self._decider.name, "result": "failed"})
        finally:
            await asyncio.shield(self._abandon())

    async def write(self) -> Marker:
        """One snapshot. Raises `SnapshotFailed`."""
        marker = self._owned.mark()
        changed = dict.fromkeys(self._owned.take_changed())
        changed = dict.fromkeys(self._owned.aggregates) if self._unwritten is None else self._unwritten | changed
        self._unwritten = changed
        try:
            await self._write_all(list(changed), marker.validity.claim_offset)
            marker = self._counted(marker)
            await self._append([self._record_of(marker)])
            self._unwritten = {}
            await self._clear_away(marker)
        except SnapshotFailed:
            await self._abandon()
            raise
        telemetry.snapshots.add(1, {"decider": self._decider.name, "result": "written"})
        return marker

    def _counted(self, marker: Marker) -> Marker:
        aggregates = self._owned.aggregates
        quarantined = sum(name in aggregates and aggregates[name].quarantined is not None for name in self._keys)
        return replace(marker, aggregates=len(self._keys), quarantined=quarantined)

    def _record_of(self, marker: Marker) -> _Unsent:
        return self._markers, marker.key(self._partition), marker.pack()

    # ---- aggregates

    async def _write_all(self, names: Sequence[str], claim_offset: int) -> None:
        """Writes them as the log has confirmed them."""
        waiting: list[asyncio.Future[object]] = []
        written: dict[str, list[bytes]] = {}
        retired: dict[str, int] = {}
        until = self._parts.clock.monotonic() + SLICE_SECONDS
        for name in names:
            aggregate = await self._confirmed(name)
            if aggregate is None:
                continue
            if name not in self._owned.aggregates:
                retired[name] = aggregate.as_of
            chunks = self._chunks(name, aggregate, claim_offset)
            written[name] = list(chunks)
            for key, value in chunks.items():
                waiting.append(await self._send(self._records, key, value))
            if len(waiting) >= UNCONFIRMED_MAX:
                await self._durable(waiting)
                waiting.clear()
            if self._parts.clock.monotonic() > until:
                await self._parts.tasks.sleep(0)
                until = self._parts.clock.monotonic() + SLICE_SECONDS
        await self._durable(waiting)
        for name, keys in written.items():
            self._rubbish += [key for key in self._keys[name] if key not in keys]
            self._keys[name] = keys
        for name, as_of in retired.items():
            self._bury(name, as_of)

    def _chunks(self, name: str, aggregate: Aggregate[S], claim_offset: int) -> dict[bytes, bytes]:
        """Its records by their keys, which may stand in the topic from now on whatever becomes of this snapshot."""
        content = self._codec.encode(aggregate)
        self._codec.put_to_rest(aggregate, content)
        chunks = dict(chunks_of(name, claim_offset, aggregate.as_of, content))
        self._keys[name] = [*(key for key in self._keys.get(name, ()) if key not in chunks), *chunks]
        return chunks

    def _bury(self, name: str, as_of: int) -> None:
        """What is written says that it is retired: once a marker is durable it needs no record at all."""
        self._rubbish += self._keys.pop(name)
        if self._owned.retired.get(name) == as_of:
            del self._owned.retired[name]

    async def _confirmed(self, name: str) -> Aggregate[S] | None:
        """The aggregate, once the log has confirmed all that is decided of it. One that is retired is without state and
        of version 0, so that no older record of it counts; None where nobody knows it."""
        tries = 0
        try:
            while not self._is_confirmed(name):
                tries += 1
                if tries > SETTLE_TRIES_MAX:
                    raise SnapshotFailed("the log confirms nothing")
                if tries > 1:
                    self._owned.settle(True)
                await self._parts.tasks.sleep(SETTLE_SECONDS)
        finally:
            if tries > 1:
                self._owned.settle(False)
        if name in self._owned.aggregates:
            return self._owned.aggregates[name]
        return Aggregate(as_of=self._owned.retired[name]) if name in self._owned.retired else None

    def _is_confirmed(self, name: str) -> bool:
        aggregate = self._owned.aggregates.get(name)
        if aggregate is not None:
            return aggregate.unconfirmed < 0
        return self._owned.retired.get(name, 0) >= 0

    async def _clear_away(self, marker: Marker) -> None:
        """A newer marker is durable: what no marker needs any more goes. A topic's last record is never a tombstone:
        those go too in the end, and the topic's end would be out of reach."""
        if self._old_markers:
            own = marker.key(self._partition)
            tombstones: list[_Unsent] = [(self._markers, key, None) for key in self._old_markers if key != own]
            await self._append([*tombstones, self._record_of(marker)])
            self._old_markers.clear()
        if self._rubbish:
            end = RecordKey("", marker.validity.claim_offset, 0, 1, 1).pack()
            rubbish: list[_Unsent] = [(self._records, key, None) for key in self._rubbish if key != end]
            await self._append([*rubbish, (self._records, end, b"")])
            self._rubbish.clear()

    # ---- appending

    async def _append(self, records: Sequence[_Unsent]) -> None:
        for start in range(0, len(records), UNCONFIRMED_MAX):
            part = records[start : start + UNCONFIRMED_MAX]
            await self._durable([await self._send(*record) for record in part])

    async def _send(self, partition: TopicPartition, key: bytes, value: bytes | None) -> "asyncio.Future[object]":
        try:
            if self._writer is None:
                writer = self._parts.log.writer(f"{self._decider.name}-{self._partition}-snapshots")
                self._writer = writer
                await writer.start()
            async with asyncio.timeout(APPEND_SECONDS_MAX):
                return await self._writer.append(NewRecord(*partition, key, value))
        except Exception as error:
            raise SnapshotFailed(type(error).__name__) from error

    async def _durable(self, waiting: Sequence["asyncio.Future[object]"]) -> None:
        if not waiting:
            return
        done, pending = await asyncio.wait(waiting, timeout=APPEND_SECONDS_MAX)
        for future in done:
            if future.cancelled() or future.exception() is not None:
                kind = "cancelled" if future.cancelled() else type(future.exception()).__name__
                raise SnapshotFailed(kind)
        if pending:
            raise SnapshotFailed(f"{len(pending)} records unconfirmed for {APPEND_SECONDS_MAX:.0f} s")

    async def _abandon(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.stop()
