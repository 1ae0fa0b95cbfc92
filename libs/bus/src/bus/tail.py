"""Reading event logs: every record folded by the fold rule, valid outcomes handed on in order."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from bus.health import Progress
from bus.outcomes import Outcome, PartitionFold
from bus.parts import Parts
from bus.records import LogReader, Record, TopicPartition
from bus.skew import Skew
from bus.snapshots.marker import Marker

POLL_MS = 100
SLICE_SECONDS = 0.008


class OutcomeHandler(Protocol):
    """What a reader does with what it reads. All of it is called in log order, per partition."""

    async def gained(self, partition: TopicPartition) -> None:
        """The partition is ours and will be handed over from its start, or from where `Tail.gain` was told to begin."""
        ...

    def outcome(self, outcome: Outcome) -> None:
        """One valid outcome. Quick and synchronous."""
        ...

    async def flush(self, partition: TopicPartition, position: int) -> None:
        """All before `position` has been handed over: time for what takes I/O."""
        ...

    async def caught_up(self, partition: TopicPartition) -> None:
        """What the partition held when it was gained has been handed over."""
        ...

    async def lost(self, partition: TopicPartition) -> None:
        """The partition is no longer ours: forget it."""
        ...


class Tail:
    """Follows partitions from offset 0, or from a marker: validity needs all that came before, or what a marker knows
    of it.

    Without a group it gains all partitions at once; `bus.group_tail.GroupTail` gains and loses them by assignment.
    """

    def __init__(self, parts: Parts, handler: OutcomeHandler, progress: Progress) -> None:
        self._parts = parts
        self._handler = handler
        self._progress = progress
        self._skew = Skew(parts.clock)
        self._reader: LogReader | None = None
        self._folds: dict[TopicPartition, PartitionFold] = {}
        self._ends: dict[TopicPartition, int] = {}

    async def start(self, partitions: Iterable[TopicPartition], name: str) -> None:
        """Assigns `partitions`; nothing is read before `gain`."""
        self._reader = self._parts.log.reader(name)
        await self._reader.start(partitions)

    async def gain(self, partition: TopicPartition, marker: Marker | None = None) -> None:
        """Reads `partition` from its start, or from `marker` on."""
        assert self._reader is not None
        _, end = await self._parts.log.bounds(partition)
        await self._handler.gained(partition)
        fold = PartitionFold(partition)
        if marker is not None and marker.position <= end:
            fold = PartitionFold(partition, marker.validity.copy(), marker.position)
        self._folds[partition] = fold
        self._ends[partition] = end
        self._reader.seek(partition, fold.position)
        await self._note_position(partition)

    async def lose(self, partition: TopicPartition) -> None:
        assert self._reader is not None
        self._reader.pause(partition)
        self._folds.pop(partition, None)
        self._ends.pop(partition, None)
        await self._handler.lost(partition)

    @property
    def gained(self) -> frozenset[TopicPartition]:
        return frozenset(self._folds)

    @property
    def catching_up(self) -> bool:
        """Whether a gained partition has not yet been read to where it ended when it was gained."""
        return bool(self._ends)

    def fold(self, partition: TopicPartition) -> PartitionFold:
        return self._folds[partition]

    async def step(self) -> None:
        """One poll: waits up to 100 ms for records and hands them on. Raises what the log or the handler raises."""
        assert self._reader is not None
        batches = await self._reader.poll(POLL_MS)
        self._progress.tick()
        for partition, records in batches.items():
            if partition in self._folds:
                await self._take(partition, records)

    async def _take(self, partition: TopicPartition, records: Sequence[Record]) -> None:
        fold, clock = self._folds[partition], self._parts.clock
        until = clock.monotonic() + SLICE_SECONDS
        for record in records:
            outcome = fold.take(record)
            if outcome is not None:
                self._handler.outcome(outcome)
            if clock.monotonic() > until:
                await self._parts.tasks.sleep(0)
                if self._folds.get(partition) is not fold:
                    return
                until = clock.monotonic() + SLICE_SECONDS
        if partition not in self._ends:  # what was there before says nothing of the broker's time now
            self._parts.time.learn(records[-1].log_time)
            self._skew.learn(records[-1])
        await self._handler.flush(partition, fold.position)
        await self._note_position(partition)

    async def _note_position(self, partition: TopicPartition) -> None:
        end = self._ends.get(partition)
        if end is not None and self._folds[partition].position >= end:
            del self._ends[partition]
            await self._handler.caught_up(partition)

    async def stop(self) -> None:
        if self._reader is not None:
            await self._reader.stop()
