"""Writes snapshots of the partitions whose alarms are kept here, one after the other and beside all else."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence

from bus import telemetry
from bus.outcomes import FoldOf
from bus.parts import Parts
from bus.records import NewRecord, TopicPartition
from bus.sender import LetterSender
from bus.snapshots.marker import Marker
from bus.snapshots.records import CHUNK_BYTES_MAX, SEAL_BYTES, seal
from timer.alarms import Alarms
from timer.shelf import Shelf
from timer.snapshots.records import LAYOUT, TOPIC, RecordKey, entry

log = logging.getLogger(__name__)

SNAPSHOT_SECONDS = 60.0
MOVED_MIN = 10_000
"""So many records are read in no time: with fewer, and nothing changed by them, the newest snapshot is as good."""
SLICE_SECONDS = 0.004
SLICE_ENTRIES = 200
UNCONFIRMED_MAX = 16
STOP_SECONDS_MAX = 5.0
WAIT_SECONDS_MIN = 0.05

OldKeys = Callable[[TopicPartition], list[bytes]]


class SnapshotFailed(Exception):
    """This snapshot has no marker; the one before stands."""


class SnapshotWriter:
    """Each partition's turn comes every `seconds`. `fold_of` gives the place of its reader, `old_keys` the keys of
    what stood in the topic when the partition was gained.

    A snapshot is taken while the alarms go on changing: what it holds of an aggregate may be newer than its marker's
    position, never older, and whoever restores it reads on from there, which gives each aggregate its newest deadline.
    """

    def __init__(self, parts: Parts, alarms: Alarms, fold_of: FoldOf, old_keys: OldKeys, seconds: float) -> None:
        self._parts = parts
        self._alarms = alarms
        self._fold_of = fold_of
        self._old_keys = old_keys
        self._seconds = seconds
        self._sender = LetterSender(parts.log, "timer-snapshots", [])
        self._shelves: dict[TopicPartition, Shelf] = {}
        self._written: dict[TopicPartition, tuple[int, int]] = {}
        self._written_at: dict[TopicPartition, float] = {}
        self._keys: dict[TopicPartition, list[bytes]] = {}

    async def run(self) -> None:
        """Until cancelled: every partition in turn. One that fails is made up for by its next turn."""
        while True:
            sources = self._alarms.sources
            for source in sources:
                await self._parts.tasks.sleep(max(self._seconds / len(sources), WAIT_SECONDS_MIN))
                await self._turn(source)
                self._show_age(sources)
            if not sources:
                await self._parts.tasks.sleep(self._seconds / 10)

    async def stop(self) -> None:
        """Writes what has changed, as far as five seconds reach."""
        try:
            async with asyncio.timeout(STOP_SECONDS_MAX):
                for source in self._alarms.sources:
                    await self._turn(source)
        except TimeoutError:
            log.info("not all snapshots were written before the end: the next timer reads some more of the logs")
        await self._sender.stop()

    async def _turn(self, source: TopicPartition) -> None:
        shelf = self._alarms.shelf(source)
        if shelf is None or not shelf.ready:
            return
        self._follow(source, shelf)
        changes, position = self._written.get(source, (0, shelf.restored_from))
        moved = self._fold_of(source).position - position
        if shelf.changes == changes and moved < MOVED_MIN:
            return
        try:
            await self.write(source, shelf)
        except SnapshotFailed as error:
            log.warning("no snapshot of the alarms of %s:%d: %s", *source, error)
            telemetry.snapshots.add(1, {"decider": "timer", "result": "failed"})

    def _follow(self, source: TopicPartition, shelf: Shelf) -> None:
        """Where the partition has been gained anew, what stood in the topic then is to be cleared away."""
        if self._shelves.get(source) is not shelf:
            self._shelves[source], self._keys[source] = shelf, self._old_keys(source)
            self._written.pop(source, None)

    def _show_age(self, sources: Sequence[TopicPartition]) -> None:
        written = [self._written_at[source] for source in sources if source in self._written_at]
        if written:
            telemetry.timer_snapshot_age_seconds.set(self._parts.clock.monotonic() - min(written))

    async def write(self, source: TopicPartition, shelf: Shelf) -> None:
        """One snapshot. Raises `SnapshotFailed`."""
        self._follow(source, shelf)
        fold, changes = self._fold_of(source), shelf.changes
        position, validity = fold.position, fold.validity.copy()
        generation = f"{position}-{self._parts.entropy(8).hex()}"
        before = list(self._keys[source])
        count = size = chunks = 0
        waiting: list[NewRecord] = []
        async for chunk, aggregates in self._chunks(shelf):
            chunks += 1
            waiting.append(self._record(RecordKey(source, generation, chunks), seal(chunk)))
            count, size = count + aggregates, size + len(chunk)
            if len(waiting) >= UNCONFIRMED_MAX:
                await self._append(waiting)
                waiting = []
        await self._append(waiting)
        marker = Marker(position, validity, 0, None, count, 0, "", LAYOUT)
        record = self._record(RecordKey(source, generation), marker.pack())
        await self._append([record])
        self._written[source] = changes, position
        self._written_at[source] = self._parts.clock.monotonic()
        await self._clear_away(source, before, record)
        telemetry.snapshots.add(1, {"decider": "timer", "result": "written"})
        telemetry.timer_snapshot_bytes.set(size, {"source": f"{source.topic}:{source.partition}"})

    async def _chunks(self, shelf: Shelf) -> AsyncIterator[tuple[bytes, int]]:
        """Bytes of chunks, and of how many aggregates, in slices that leave the loop to others."""
        clock = self._parts.clock
        until = clock.monotonic() + SLICE_SECONDS
        parts: list[bytes] = []
        size = 0
        for number, aggregate in enumerate(shelf.names()):
            if number % SLICE_ENTRIES == 0 and clock.monotonic() > until:
                await self._parts.tasks.sleep(0)
                until = clock.monotonic() + SLICE_SECONDS
            stands = shelf.stands(aggregate)
            if stands is None:
                continue
            packed = entry(aggregate, stands)
            if size + len(packed) > CHUNK_BYTES_MAX - SEAL_BYTES:
                yield b"".join(parts), len(parts)
                parts, size = [], 0
            parts.append(packed)
            size += len(packed)
        if parts:
            yield b"".join(parts), len(parts)

    async def _clear_away(self, source: TopicPartition, before: Sequence[bytes], marker: NewRecord) -> None:
        """A newer marker is durable: what stood before goes. A topic's last record is never a tombstone: those go too
        in the end, and the topic's end would be out of reach."""
        if not before:
            return
        tombstones = [NewRecord(TOPIC, source.partition, key, None) for key in before]
        for start in range(0, len(tombstones), UNCONFIRMED_MAX):
            await self._append(tombstones[start : start + UNCONFIRMED_MAX])
        await self._append([marker])
        gone = set(before)
        self._keys[source] = [key for key in self._keys[source] if key not in gone]

    def _record(self, key: RecordKey, value: bytes) -> NewRecord:
        """From now on the key may stand in the topic, whatever becomes of this snapshot."""
        packed = key.pack()
        self._keys[key.source].append(packed)
        return NewRecord(TOPIC, key.source.partition, packed, value)

    async def _append(self, records: Sequence[NewRecord]) -> None:
        if records and not all(await self._sender.append_all(records)):
            raise SnapshotFailed(f"of {len(records)} records not all are known to be durable")
