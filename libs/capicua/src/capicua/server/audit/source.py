"""Records for an audit, out of any log: Kafka's, or a simulation's in memory."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bus.records import Log, LogReader, LogUnavailable, Record, TopicPartition
from capicua.server.audit.auditor import COMMANDS, EVENTS, End, Item, Known

POLL_MS = 200
EMPTY_POLLS_MAX = 75
"""A quarter of a minute."""
BESIDE = (".markers", ".snapshots")


class LogSource:
    """The topics of `deciders` as they are at `survey`; what is written later is not read. `beside` are those of their
    marker and snapshot topics that are to be read too.

    Partition after partition, so that memory holds the live tables of one. Commands and events are merged by time.
    """

    def __init__(
        self,
        log: Log,
        deciders: Sequence[str],
        on_progress: Callable[[int], None] = lambda _: None,
        beside: Sequence[str] = (),
    ) -> None:
        self._log = log
        self._deciders = deciders
        self._beside = beside
        self._on_progress = on_progress
        self._bounds: dict[TopicPartition, tuple[int, int]] = {}

    async def survey(self, known: Known | None = None) -> Known:
        """Learns the topics' sizes, and adds them to `known`. Raises what a log raises that cannot be read."""
        partitions: dict[str, int] = {}
        for decider in self._deciders:
            topic = f"{decider}{EVENTS}"
            partitions[topic] = await self._log.partition_count(topic)
        # Each before what it follows from: whatever a marker describes, or an outcome answers, is then read as well.
        for topic in (*self._beside, *partitions, *(f"{decider}{COMMANDS}" for decider in self._deciders)):
            decider = topic.rpartition(".")[0]
            for number in range(partitions[f"{decider}{EVENTS}"]):
                place = TopicPartition(topic, number)
                self._bounds[place] = await self._log.bounds(place)
        commands = {place: held for place, held in self._bounds.items() if place.topic.endswith(COMMANDS)}
        return replace(known or Known(), partitions=partitions, commands=commands)

    @property
    def total(self) -> int:
        """How many offsets there are to read."""
        return sum(end - begin for begin, end in self._bounds.values())

    async def records(self) -> AsyncIterator[Item]:
        """Of each partition its markers and snapshots, then commands and events, then its end."""
        for events in self._bounds:
            if not events.topic.endswith(EVENTS):
                continue
            decider, number = events.topic.removesuffix(EVENTS), events.partition
            for kind in BESIDE:
                beside = TopicPartition(f"{decider}{kind}", number)
                if beside in self._bounds:
                    async for record in self._compacted(beside):
                        yield record
            async for record in self._merged(events, TopicPartition(f"{decider}{COMMANDS}", number)):
                yield record
            yield End(events)

    async def _compacted(self, partition: TopicPartition) -> AsyncIterator[Record]:
        """The last records of a compacted partition may be gone, so that its end is never reached."""
        stream = self._stream(partition)
        try:
            await stream.start()
            with suppress(LogUnavailable):
                while await stream.fill():
                    while stream.waiting:
                        yield stream.waiting.popleft()
        finally:
            await stream.stop()

    async def _merged(self, events: TopicPartition, commands: TopicPartition) -> AsyncIterator[Record]:
        ahead, behind = self._stream(commands), self._stream(events)
        try:
            await ahead.start()
            await behind.start()
            while await ahead.fill() | await behind.fill():
                for record in _by_time(ahead.waiting, behind.waiting, ahead.more, behind.more):
                    yield record
        finally:
            await ahead.stop()
            await behind.stop()

    def _stream(self, partition: TopicPartition) -> "_Stream":
        begin, end = self._bounds[partition]
        return _Stream(self._log.reader("audit"), partition, begin, end, self._on_progress)


def _by_time(
    commands: deque[Record], events: deque[Record], more_commands: bool, more_events: bool
) -> Iterator[Record]:
    """The earlier of the two fronts, commands first, until one side has run dry that still has more to read."""
    while commands or events:
        if (not commands and more_commands) or (not events and more_events):
            return
        if commands and (not events or commands[0].timestamp <= events[0].timestamp):
            yield commands.popleft()
        else:
            yield events.popleft()


@dataclass
class _Stream:
    """One partition from `position` to `end`, a poll at a time."""

    reader: LogReader
    partition: TopicPartition
    position: int
    end: int
    on_progress: Callable[[int], None]

    def __post_init__(self) -> None:
        self.waiting: deque[Record] = deque()

    @property
    def more(self) -> bool:
        """Whether there is something to read that does not wait here yet."""
        return self.position < self.end

    async def start(self) -> None:
        if self.more:
            await self.reader.start([self.partition])
            self.reader.seek(self.partition, self.position)

    async def fill(self) -> bool:
        """Reads until something waits; False when there is nothing more. Raises `LogUnavailable` when nothing comes."""
        empty = 0
        while not self.waiting and self.more:
            records = (await self.reader.poll(POLL_MS)).get(self.partition, ())
            empty = 0 if records else empty + 1
            if empty > EMPTY_POLLS_MAX:
                raise LogUnavailable(f"{self.partition}: expected records to {self.end}, got none from {self.position}")
            for record in records:
                if record.offset < self.end:
                    self.waiting.append(record)
                self.on_progress(min(record.offset + 1, self.end) - self.position)
                self.position = min(record.offset + 1, self.end)
        return bool(self.waiting)

    async def stop(self) -> None:
        await self.reader.stop()
