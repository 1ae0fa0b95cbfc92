"""Reads the newest snapshot of a partition's alarms that can be used."""

import logging
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import NamedTuple

from bus import telemetry
from bus.health import Progress
from bus.parts import Parts
from bus.records import LogReader, Record, TopicPartition
from bus.restoring import bounds_reaching
from bus.snapshots.loading import SLICE_SECONDS, records_of
from bus.snapshots.marker import Marker
from bus.snapshots.records import UnreadableSnapshot
from bus.validity import Validity
from timer.shelf import Shelf
from timer.snapshots.records import LAYOUT, TOPIC, RecordKey, entries, prefix_of

log = logging.getLogger(__name__)


class _Whole(NamedTuple):
    """A snapshot that its `marker` says to be whole; the marker's own record is at `offset`."""

    marker: Marker
    generation: str
    offset: int


@dataclass(slots=True)
class _Found:
    """What the topic holds of one partition: its live keys, and where the first chunk of each generation lies."""

    whole: list[_Whole] = field(default_factory=list)
    keys: dict[bytes, None] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)


class SnapshotLoader:
    """For partitions of `topics` that are gained; `progress` is the one of whoever waits for it.

    What is damaged, of a newer layout, not whole, or of another log is passed over with a warning and an alarm: an
    older snapshot is taken, or the log is folded from its start.
    """

    def __init__(self, parts: Parts, topics: list[str], progress: Progress) -> None:
        self._parts = parts
        self._topics = topics
        self._progress = progress
        self._reader: LogReader | None = None
        self._events: LogReader | None = None
        self._loaded: dict[TopicPartition, Shelf] = {}
        self._keys: dict[TopicPartition, list[bytes]] = {}

    async def start(self) -> None:
        """Raises `LogUnavailable`."""
        snapshots = await self._partitions(TOPIC)
        events = [partition for topic in self._topics for partition in await self._partitions(topic)]
        self._reader, self._events = self._parts.log.reader("timer-snapshots"), self._parts.log.reader("timer-founding")
        await self._reader.start(snapshots)
        await self._events.start(events)

    async def _partitions(self, topic: str) -> list[TopicPartition]:
        return [TopicPartition(topic, number) for number in range(await self._parts.log.partition_count(topic))]

    async def stop(self) -> None:
        for reader in (self._reader, self._events):
            if reader is not None:
                await reader.stop()

    async def load(self, source: TopicPartition) -> Marker | None:
        """Where the reading of the partition begins (`bus.group_tail.Begin`). Raises `LogUnavailable`."""
        began = self._parts.clock.monotonic()
        self._progress.tick()
        self._loaded.pop(source, None)
        found = await self._find(source)
        self._keys[source] = list(found.keys)
        for whole in sorted(found.whole, key=lambda whole: (whole.marker.position, whole.offset), reverse=True):
            self._progress.tick()
            why = await self._why_unusable(source, whole.marker)
            shelf = None
            if why is None:
                shelf, why = await self._shelf(source, whole, found.first.get(whole.generation, whole.offset))
            if shelf is not None:
                self._loaded[source] = shelf
                seconds = self._parts.clock.monotonic() - began
                log.info(
                    "%s:%d: %d alarms up to %d restored in %.1f s", *source, len(shelf), shelf.restored_from, seconds
                )
                return whole.marker
            _warn("the snapshot of the alarms of %s:%d is not used: %s", *source, why)
        return None

    def take(self, source: TopicPartition) -> Shelf | None:
        """The alarms that belong to the marker `load` gave."""
        return self._loaded.pop(source, None)

    def keys(self, source: TopicPartition) -> list[bytes]:
        """The keys of all that stood in the topic for the partition when it was gained."""
        return self._keys.pop(source, [])

    # ---- what the topic holds

    async def _find(self, source: TopicPartition) -> _Found:
        assert self._reader is not None
        found, prefix = _Found(), prefix_of(source)
        unreadable: dict[bytes, str] = {}
        async for record in records_of(self._parts, self._reader, TopicPartition(TOPIC, source.partition)):
            self._progress.tick()
            if record.key is None or not record.key.startswith(prefix):
                continue
            if record.value is None:
                found.keys.pop(record.key, None)
                continue
            found.keys[record.key] = None
            try:
                _note(found, record)
            except UnreadableSnapshot as error:
                unreadable[record.key] = f"{record.topic}:{record.partition}:{record.offset}: {error}"
        for key in unreadable.keys() & found.keys.keys():
            _warn("no marker of ours: %s", unreadable[key])
        live = {RecordKey.unpack(key).generation for key in found.keys if b"#" not in key}
        found.whole = [whole for whole in found.whole if whole.generation in live]
        return found

    async def _why_unusable(self, source: TopicPartition, marker: Marker) -> str | None:
        if marker.snapshot_version != LAYOUT:
            return f"expected layout {LAYOUT}, got {marker.snapshot_version}"
        begin, end = await bounds_reaching(self._parts, source, marker.position)
        if not begin <= marker.position <= end:
            return f"expected a position from {begin} to {end}, got {marker.position}"
        if begin == 0 and await self._founding(source) != marker.validity.log_id:
            return "the log begins with another founding record; was the topic deleted and made again?"
        return None

    async def _founding(self, source: TopicPartition) -> bytes | None:
        """The id in the log's very first record."""
        assert self._events is not None
        validity = Validity()
        async with aclosing(records_of(self._parts, self._events, source)) as records:
            async for record in records:
                validity.judge(record)
                break
        return validity.log_id

    async def _shelf(self, source: TopicPartition, whole: _Whole, since: int) -> tuple[Shelf | None, str | None]:
        """The snapshot's alarms, or why there are none."""
        assert self._reader is not None
        shelf = Shelf(source, whole.marker.position)
        wanted = RecordKey(source, whole.generation).pack() + b"#"
        partition = TopicPartition(TOPIC, source.partition)
        async with aclosing(records_of(self._parts, self._reader, partition, since)) as records:
            async for record in records:
                if record.value is not None and record.key is not None and record.key.startswith(wanted):
                    try:
                        await self._restore(shelf, record.value)
                    except UnreadableSnapshot as error:
                        return None, str(error)
                if record.offset >= whole.offset:
                    break
        if len(shelf) != whole.marker.aggregates:
            return None, f"expected {whole.marker.aggregates} aggregates, got {len(shelf)}"
        telemetry.restored.add(len(shelf), {"topic": TOPIC, "kind": "snapshot"})
        return shelf, None

    async def _restore(self, shelf: Shelf, chunk: bytes) -> None:
        until = self._parts.clock.monotonic() + SLICE_SECONDS
        for number, (aggregate, stands) in enumerate(entries(chunk)):
            shelf.restore(aggregate, stands)
            if number % 500 == 0 and self._parts.clock.monotonic() > until:
                self._progress.tick()
                await self._parts.tasks.sleep(0)
                until = self._parts.clock.monotonic() + SLICE_SECONDS


def _note(found: _Found, record: Record) -> None:
    """Raises `UnreadableSnapshot`."""
    key = RecordKey.unpack(record.key or b"")
    if key.chunk:
        found.first.setdefault(key.generation, record.offset)
        return
    marker = Marker.unpack(record.value or b"")
    found.whole.append(_Whole(marker, key.generation, record.offset))


def _warn(message: str, *arguments: object) -> None:
    telemetry.alarms.add(1, {"kind": "snapshot"})
    log.warning(message, *arguments)
