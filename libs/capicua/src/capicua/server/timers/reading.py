"""Reads event topics up to where they stand now, and learns what time it is there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bus.decider import Deadline
from bus.held import EMPTY_POLLS_MAX
from bus.outcomes import PartitionFold
from bus.parts import Parts
from bus.records import LogReader, LogTruncated, LogUnavailable, TopicPartition
from bus.snapshots import Marker
from bus.snapshots.loading import newest_marker
from bus.tail import POLL_MS
from capicua.server.bar import ReadingBar
from capicua.server.timers.lately import LatelyEnded
from capicua.server.timers.standing import Partition
from timer.alarms import decider_of
from timer.packing import deadline_of, first_ringing
from timer.shelf import Shelf
from timer.snapshots import SnapshotLoader

READER = "timers"
FRESH_POLLS_MAX = 15
"""A second and a half: owners are heard every second."""

Ends = Mapping[TopicPartition, int]


@dataclass(frozen=True, slots=True)
class Survey:
    """All partitions as they stand at the log time `now`, which a fresh record has told, or else this machine's clock.
    `records` were read; of those `from_markers` what had changed before is not known. So many were read on
    `from_snapshots` of the timer's."""

    partitions: Sequence[Partition]
    now: int
    fresh: bool
    records: int
    from_markers: Sequence[TopicPartition]
    from_snapshots: int = 0


class Reading:
    """One reader for all partitions, so that none is left behind while another is read. `snapshots` are the timer's,
    which say what stood at some place of a log; without them it is read from its start."""

    def __init__(self, parts: Parts, bar: ReadingBar, snapshots: SnapshotLoader | None = None) -> None:
        self._parts = parts
        self._bar = bar
        self._snapshots = snapshots
        self._from_markers: list[TopicPartition] = []
        self._from_snapshots = 0
        self._partitions: dict[TopicPartition, Partition] = {}
        self._records = 0

    async def survey(self, topics: Sequence[str]) -> Survey:
        """Raises what the log raises, and `LogUnavailable` when nothing comes for a quarter of a minute."""
        for topic in topics:
            ended = LatelyEnded()
            for number in range(await self._parts.log.partition_count(topic)):
                source = TopicPartition(topic, number)
                self._partitions[source] = await self._begin(source, ended)
        reader = self._parts.log.reader(READER)
        try:
            await reader.start(self._partitions)
            fresh = await self._read(reader)
        finally:
            await reader.stop()
        heard = [partition.heard_at or 0 for partition in self._partitions.values()]
        now = max(self._parts.time.now(), *heard)
        return Survey([*self._partitions.values()], now, fresh, self._records, self._from_markers, self._from_snapshots)

    async def _begin(self, source: TopicPartition, ended: LatelyEnded) -> Partition:
        """From the timer's newest snapshot, else from the first record, or from the newest marker where that one has
        expired."""
        if self._snapshots is not None and (marker := await self._snapshots.load(source)) is not None:
            self._from_snapshots += 1
            return Partition(_fold_from(source, marker), ended, _restored(self._snapshots.take(source)))
        begin, _ = await self._parts.log.bounds(source)
        if begin == 0:
            return Partition(PartitionFold(source), ended)
        marker = await newest_marker(self._parts, decider_of(source), source.partition)
        if marker is None or marker.position < begin:
            raise LogTruncated(f"expected {source} from its start or a marker, got records from {begin} on")
        self._from_markers.append(source)
        return Partition(_fold_from(source, marker), ended)

    async def _read(self, reader: LogReader) -> bool:
        """Twice, because the log goes on while it is read for the first time; then until a fresh record tells the
        broker's time. Whether one has."""
        ends = await self._ends()
        self._bar.start(sum(max(0, ends[source] - each.position) for source, each in self._partitions.items()))
        for source, partition in self._partitions.items():
            reader.seek(source, partition.position)
        await self._read_to(reader, ends)
        await self._read_to(reader, await self._ends())
        for _ in range(FRESH_POLLS_MAX):
            if await self._poll(reader, fresh=True):
                return True
        return False

    async def _ends(self) -> Ends:
        return {source: (await self._parts.log.bounds(source))[1] for source in self._partitions}

    async def _read_to(self, reader: LogReader, ends: Ends) -> None:
        empty = 0
        while behind := [source for source, end in ends.items() if self._partitions[source].position < end]:
            empty = 0 if await self._poll(reader) else empty + 1
            if empty > EMPTY_POLLS_MAX:
                raise LogUnavailable(f"{behind[0]}: expected records to {ends[behind[0]]}, got none")

    async def _poll(self, reader: LogReader, *, fresh: bool = False) -> int:
        """How many records came. `fresh`: they were appended just now."""
        count = 0
        for source, records in (await reader.poll(POLL_MS)).items():
            self._partitions[source].take(records)
            count += len(records)
            if fresh:
                self._parts.time.learn(records[-1].log_time)
        self._records += count
        self._bar.advance(count)
        return count


def _fold_from(source: TopicPartition, marker: Marker) -> PartitionFold:
    return PartitionFold(source, marker.validity.copy(), marker.position)


def _restored(shelf: Shelf | None) -> dict[str, Deadline]:
    if shelf is None:
        return {}
    return {name: deadline_of(first_ringing(stands)) for name in shelf.names() if (stands := shelf.stands(name))}
