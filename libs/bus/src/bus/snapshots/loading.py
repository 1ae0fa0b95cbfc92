"""Reads the newest snapshot of one partition: its marker first, then the records of that marker's claim."""

import logging
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from bus import telemetry
from bus.parts import Parts
from bus.records import LogReader, Record, TopicPartition
from bus.snapshots.marker import Marker
from bus.snapshots.records import RecordKey, UnreadableSnapshot, split_version, unseal

log = logging.getLogger(__name__)

POLL_MS = 100
SLICE_SECONDS = 0.008
SILENT_SECONDS_MAX = 5.0
"""The last records of a compacted topic may be gone, so that its end is never reached: what has come by then is all."""


@dataclass(slots=True)
class Loaded:
    """One aggregate of a snapshot: `content` as `records.StateCodec` has it. Version 0 says that it is retired: it is
    read so that no older record of it counts, and then forgotten."""

    version: int
    as_of: int
    content: bytes


@dataclass(slots=True)
class Snapshot:
    """`marker` is None where no snapshot can be used; `newest` is the newest readable marker all the same. `others` are
    the keys of other claims' records and of superseded ones: rubbish as soon as a newer marker is durable."""

    newest: Marker | None = None
    marker: Marker | None = None
    aggregates: dict[str, Loaded] = field(default_factory=dict)
    others: list[bytes] = field(default_factory=list)
    other_markers: list[bytes] = field(default_factory=list)


async def load(parts: Parts, decider: str, partition: int, usable: Callable[[Marker], str | None]) -> Snapshot:
    """The newest snapshot. `usable` says of a marker why it cannot be used, None if it can. Whatever is damaged is
    passed over with a warning: then the log is folded instead. Raises `LogUnavailable`."""
    markers = TopicPartition(f"{decider}.markers", partition)
    records = TopicPartition(f"{decider}.snapshots", partition)
    reader = parts.log.reader(f"{decider}-snapshots")
    try:
        await reader.start([markers, records])
        found = _newest_marker([record async for record in records_of(parts, reader, markers)])
        if found.newest is not None:
            why = usable(found.newest)
            if why is None:
                found.marker = found.newest
            else:
                log.warning("the snapshot of %s:%d is not used: %s", decider, partition, why)
        await _read(parts, reader, records, found)
    finally:
        await reader.stop()
    return found


async def newest_marker(parts: Parts, decider: str, partition: int) -> Marker | None:
    """The newest readable marker alone, for readers that start in the middle of a log. Raises `LogUnavailable`."""
    markers = TopicPartition(f"{decider}.markers", partition)
    reader = parts.log.reader(f"{decider}-markers")
    try:
        await reader.start([markers])
        return _newest_marker([record async for record in records_of(parts, reader, markers)]).newest
    finally:
        await reader.stop()


async def records_of(
    parts: Parts, reader: LogReader, partition: TopicPartition, since: int = 0
) -> AsyncGenerator[Record, None]:
    """Every record from the offset `since` on that the partition holds now, in slices that leave the loop to others.
    Who does not want all of them closes it (`contextlib.aclosing`)."""
    begin, end = await parts.log.bounds(partition)
    begin = max(begin, since)
    if begin >= end:
        return
    reader.seek(partition, begin)
    clock, position = parts.clock, begin
    came_at = until = clock.monotonic()
    try:
        while position < end and clock.monotonic() - came_at < SILENT_SECONDS_MAX:
            for record in (await reader.poll(POLL_MS)).get(partition, ()):
                yield record
                position, came_at = record.offset + 1, clock.monotonic()
                if came_at > until:
                    await parts.tasks.sleep(0)
                    until = clock.monotonic() + SLICE_SECONDS
    finally:
        reader.pause(partition)


def _newest_marker(records: list[Record]) -> Snapshot:
    found = Snapshot()
    for record in records:
        if record.value is None or record.key is None:
            continue
        found.other_markers.append(record.key)
        try:
            marker = Marker.unpack(record.value)
        except UnreadableSnapshot as error:
            _warn(record, error)
            continue
        if found.newest is None or marker.position >= found.newest.position:
            found.newest = marker
    return found


async def _read(parts: Parts, reader: LogReader, partition: TopicPartition, found: Snapshot) -> None:
    """Collects the records of the marker's claim, and the keys of all others. Damage to any of them is damage to all:
    an aggregate that changed before the marker and never again is in the log before the marker only."""
    claim = found.marker.validity.claim_offset if found.marker is not None else None
    chunks: dict[str, dict[int, bytes]] = {}
    live: dict[bytes, None] = {}
    count = 0
    async for record in records_of(parts, reader, partition):
        if record.key is None or record.value is None:
            live.pop(record.key or b"", None)
            continue
        live[record.key] = None
        if claim is None or not record.value:
            continue
        try:
            key = RecordKey.unpack(record.key)
            if key.claim_offset == claim:
                _take(found, key, record.value, chunks)
        except UnreadableSnapshot as error:
            _warn(record, error)
            found.marker = claim = None
            found.aggregates.clear()
        count += 1
    telemetry.restored.add(count, {"topic": partition.topic, "kind": "snapshot"})
    if found.marker is not None and len(found.aggregates) < found.marker.aggregates:
        expected, got = found.marker.aggregates, len(found.aggregates)
        log.warning("the snapshot of %s is not whole: expected %d aggregates, got %d", partition, expected, got)
        found.marker = None
    if found.marker is None:
        found.aggregates.clear()
    for retired in [name for name, loaded in found.aggregates.items() if loaded.version == 0]:
        del found.aggregates[retired]
    found.others = list(live)


def _take(found: Snapshot, key: RecordKey, value: bytes, chunks: dict[str, dict[int, bytes]]) -> None:
    """The newest whole set of chunks of each aggregate counts; one that is cut short belongs to no marker."""
    known = found.aggregates.get(key.aggregate)
    if known is not None and known.as_of >= key.as_of:
        return
    if key.chunks > 1:
        held = chunks.setdefault(f"{key.aggregate}@{key.as_of}", {})
        held[key.chunk] = value
        if len(held) < key.chunks:
            return
        value = b"".join([held[number] for number in range(1, key.chunks + 1)])
    version, content = split_version(unseal(value))
    found.aggregates[key.aggregate] = Loaded(version, key.as_of, content)


def _warn(record: Record, error: UnreadableSnapshot) -> None:
    telemetry.alarms.add(1, {"kind": "snapshot"})
    log.warning(
        "what lies at %s:%d:%d is no snapshot of ours: %s", record.topic, record.partition, record.offset, error
    )
