"""The log as the runtime sees it: records, and the four things that can be asked of a broker.

`bus.kafka` is the adapter to Apache Kafka; a simulation brings another.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class TopicPartition(NamedTuple):
    topic: str
    partition: int


@dataclass(slots=True, unsafe_hash=True)  # never changed; a frozen one takes longer to make: see `bus.header`
class Record:
    """A record as read. `timestamp` in ms, given by the broker at append unless `appended_time` is False. `passed` is
    what a test has let pass by then without waiting, in ms; 0 in production."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...]
    appended_time: bool = True
    passed: int = 0

    @property
    def log_time(self) -> int:
        """The one mapping from a record's time to log time, in ms."""
        return self.timestamp + self.passed

    def header(self, name: str) -> bytes | None:
        """The header's value, or None when it is missing or stands there more than once."""
        headers = self.headers
        if len(headers) == 1:
            return headers[0][1] if headers[0][0] == name else None
        found = [value for key, value in headers if key == name]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class NewRecord:
    topic: str
    partition: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()


class LogReader(Protocol):
    """A data consumer without a group. Its partitions are fixed at the start; each stands still until it is sought."""

    async def start(self, partitions: Iterable[TopicPartition]) -> None:
        """Raises `LogUnavailable`."""
        ...

    def seek(self, partition: TopicPartition, offset: int) -> None:
        """Reads go on from `offset`."""
        ...

    def pause(self, partition: TopicPartition) -> None: ...

    def resume(self, partition: TopicPartition) -> None:
        """Reads go on behind the last record that `poll` gave out."""
        ...

    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        """Records in order per partition; empty after `timeout_ms` without any. Raises `LogTruncated`."""
        ...

    async def stop(self) -> None: ...


class LogWriter(Protocol):
    """One idempotent producer. After one error it is good for nothing more."""

    async def start(self) -> None: ...

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        """Waits for room, then returns a future that is done when the record is durable, or raises: result unknown."""
        ...

    async def stop(self) -> None:
        """Bounded in time; what is under way may still land."""
        ...


class Membership(Protocol):
    """This process's place in a consumer group. Only who owns what; no records."""

    async def start(self) -> None: ...

    @property
    def generation(self) -> int:
        """Counts up with every assignment that arrives, a repeated one included."""
        ...

    @property
    def assignment(self) -> frozenset[TopicPartition]: ...

    async def changed(self, since: int) -> int:
        """Waits until `generation` is above `since` and returns it."""
        ...

    async def commit(self, offsets: Mapping[TopicPartition, int]) -> bool:
        """Commits `offsets`; False when the group says that this process is no longer a member."""
        ...

    async def committed(self, partition: TopicPartition) -> int | None:
        """What the group has committed of `partition`. Raises `LogUnavailable`."""
        ...

    async def stop(self) -> None:
        """Leaves the group."""
        ...


class Log(Protocol):
    """Makes the four, and answers what a topic holds."""

    def reader(self, name: str) -> LogReader: ...

    def writer(self, name: str) -> LogWriter: ...

    def membership(self, group: str, topics: Sequence[str]) -> Membership: ...

    async def partition_count(self, topic: str) -> int: ...

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        """The first offset that the partition holds and the one that the next record will get."""
        ...


class LogTruncated(Exception):
    """What was asked for is no longer (or not yet) in the partition. Carries where and what."""


class LogUnavailable(Exception):
    """The broker could not be asked just now. Nothing is known about what it holds."""
