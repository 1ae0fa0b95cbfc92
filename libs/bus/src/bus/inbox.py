"""What the readers have brought for one partition and its owner has not yet looked at."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

from bus.records import LogReader, Record, TopicPartition

WAITING_MAX = 8000
WAITING_LOW = 2000


class Inbox:
    """A bounded queue of records: past 8,000 waiting ones its partition is paused, below 2,000 resumed. When there
    are more, `arrived` is set, and `read` called with the newest."""

    def __init__(
        self, reader: LogReader, partition: TopicPartition, arrived: asyncio.Event, read: Callable[[Record], None]
    ) -> None:
        self._reader = reader
        self._partition = partition
        self._arrived = arrived
        self._read = read
        self._records: deque[Record] = deque()
        self._paused = True
        self._begin = 0

    def seek(self, offset: int) -> None:
        """Forgets what waits; what comes next is at `offset` or behind it."""
        self._records.clear()
        self._begin = offset
        self._reader.seek(self._partition, offset)
        self._paused = False

    def close(self) -> None:
        self._records.clear()
        self._reader.pause(self._partition)
        self._paused = True

    def put(self, records: Sequence[Record]) -> None:
        self._read(records[-1])
        if records[0].offset < self._begin:  # read before the seek, handed over after it
            records = [record for record in records if record.offset >= self._begin]
        self._records.extend(records)
        self._arrived.set()
        if len(self._records) > WAITING_MAX and not self._paused:
            self._reader.pause(self._partition)
            self._paused = True

    def take(self) -> Record | None:
        if not self._records:
            return None
        record = self._records.popleft()
        if self._paused and len(self._records) < WAITING_LOW:
            self._reader.resume(self._partition)
            self._paused = False
        return record

    def __len__(self) -> int:
        return len(self._records)
