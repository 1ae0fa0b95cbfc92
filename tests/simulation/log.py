"""`bus.records.Log` on the simulated broker, as one process sees it, with all that may go wrong on the way."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tests.simulation.broker import Broker
from tests.simulation.groups import Groups, SimulatedMembership
from tests.simulation.loop import SimulationLoop
from tests.simulation.processes import SimulatedProcess, elapse

from bus.records import LogUnavailable, NewRecord, Record, TopicPartition

Sending = Callable[[SimulatedProcess, NewRecord], str | None]
POLL_RECORDS_MAX = 400
CUT_SECONDS = 3.0
FAILING = ("lost", "landed-unknown", "late")
"""Troubles whose sender is told that something went wrong; of the others it hears nothing."""


class SimulatedLog:
    """`sending` is told of every record before it leaves, and says what happens to it."""

    def __init__(self, broker: Broker, groups: Groups, process: SimulatedProcess, sending: Sending) -> None:
        self.broker = broker
        self.groups = groups
        self.process = process
        self.sending = sending
        self.loop: SimulationLoop = broker.loop
        self._readers = 0

    def reader(self, _: str) -> "SimulatedReader":
        self._readers += 1
        return SimulatedReader(self)

    def writer(self, _: str) -> "SimulatedWriter":
        writer = SimulatedWriter(self)
        self.process.at_death.append(writer.die)
        return writer

    def membership(self, group: str, topics: Sequence[str]) -> SimulatedMembership:
        return self.groups.membership(group, topics, self)

    async def network(self) -> None:
        """There and back. Raises `LogUnavailable` while the process is cut off; whoever is dead does not wait."""
        if not self.process.alive:
            return
        if self.process.cut:
            await elapse(CUT_SECONDS)
            if self.process.cut:
                raise LogUnavailable("cut off")
        await elapse(self.broker.latency())

    async def partition_count(self, topic: str) -> int:
        await self.network()
        return self.broker.topics[topic]

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        await self.network()
        end = self.broker.told_end(partition)
        await elapse(self.broker.latency())
        return 0, end

    async def wait_for_brokers(self) -> None:
        while self.process.cut:
            await elapse(0.1)

    async def answers(self) -> bool:
        return not self.process.cut

    async def close(self) -> None:
        await elapse(0)


class SimulatedReader:
    def __init__(self, log: SimulatedLog) -> None:
        self._log = log
        self._number = log.loop.number()
        self._positions: dict[TopicPartition, int] = {}
        self._paused: set[TopicPartition] = set()
        self._waiting: asyncio.Future[None] | None = None

    async def start(self, partitions: Iterable[TopicPartition]) -> None:
        self._positions = dict.fromkeys(partitions, 0)
        self._paused = set(self._positions)
        await self._log.network()

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self._positions[partition] = offset
        self.resume(partition)

    def pause(self, partition: TopicPartition) -> None:
        self._paused.add(partition)

    def resume(self, partition: TopicPartition) -> None:
        self._paused.discard(partition)
        self.wake()

    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        if self._behind():
            await elapse(self._log.broker.latency())
            return self._take()
        partitions = self._log.broker.partitions
        for partition in self._positions:
            if partition not in self._paused:
                partitions[partition].waiting[self._number] = self.wake
        loop = self._log.loop
        self._waiting = loop.create_future()
        timer = loop.call_later(timeout_ms / 1000, self.wake)
        try:
            await self._waiting
        finally:
            self._waiting = None
            timer.cancel()
        return self._take()

    def wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _behind(self) -> bool:
        broker = self._log.broker
        return not self._log.process.cut and any(
            partition not in self._paused and position < broker.end(partition)
            for partition, position in self._positions.items()
        )

    def _take(self) -> dict[TopicPartition, Sequence[Record]]:
        """What is there, at most 400 records; sometimes less, as fetches end where they end."""
        batches: dict[TopicPartition, Sequence[Record]] = {}
        if self._log.process.cut or not self._log.process.alive:
            return batches
        chance = self._log.broker.chance
        left = POLL_RECORDS_MAX if chance.random() < 0.8 else chance.randint(1, 20)
        for partition, position in self._positions.items():
            if partition in self._paused or left == 0:
                continue
            held = self._log.broker.partitions[partition].records
            if position < len(held):
                part = held[position : position + left]
                self._positions[partition] = position + len(part)
                left -= len(part)
                if found := [record for record in part if record is not None]:
                    batches[partition] = found
        return batches

    async def stop(self) -> None:
        await elapse(0)


class Flying(NamedTuple):
    """A record on its way; `answered` is None when nobody will hear that it landed."""

    record: NewRecord
    answered: "asyncio.Future[object] | None"


class SimulatedWriter:
    """Records of one partition land in their order, unless there is trouble. What is under way when the process dies
    lands up to some record, and not from there on."""

    def __init__(self, log: SimulatedLog) -> None:
        self._log = log
        self._arrival: dict[TopicPartition, float] = {}
        self._flying: dict[TopicPartition, deque[Flying]] = {}

    async def start(self) -> None:
        try:
            await self._log.network()
        except LogUnavailable as error:
            raise ConnectionError("no broker answers") from error

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        log = self._log
        future = log.loop.create_future()
        if log.process.alive and log.broker.chance.random() < (0.5 if log.broker.crowded else 0.02):
            await elapse(log.broker.latency())
        if not log.process.alive:
            return future
        trouble = log.sending(log.process, record)
        if trouble == "raises":
            raise ConnectionError("no room in the batch")
        self._send(record, future, trouble)
        return future

    def _send(self, record: NewRecord, future: "asyncio.Future[object]", trouble: str | None) -> None:
        loop, broker = self._log.loop, self._log.broker
        chance = broker.chance
        where = TopicPartition(record.topic, record.partition)
        at = max(self._arrival.get(where, 0.0), loop.time() + broker.latency())
        if trouble in FAILING:
            loop.outside(at + 0.05 * chance.random() - loop.time(), _fail, future)
        if trouble in ("lost", "lost-and-silent"):
            return
        if trouble in ("late", "late-and-silent"):
            loop.outside(0.1 + 4 * chance.random() ** 2, broker.append, record)
            return
        if trouble == "twice":
            loop.outside(at - loop.time() + 3 * chance.random() ** 3, broker.append, record)
        self._arrival[where] = at
        self._flying.setdefault(where, deque()).append(Flying(record, None if trouble in FAILING else future))
        loop.outside(at - loop.time(), self._land, where)

    def _land(self, where: TopicPartition) -> None:
        """The next record of that partition, if the process did not die before it left."""
        log = self._log
        if log.process.cut and log.process.alive:  # the client holds it until the broker can be reached again
            log.loop.outside(0.05, self._land, where)
        elif self._flying[where]:
            record, answered = self._flying[where].popleft()
            appended = log.broker.append(record)
            if answered is not None:
                log.loop.outside(log.broker.latency(), _confirm, answered, appended)

    def die(self) -> None:
        for flying in self._flying.values():
            for _ in range(int(self._log.broker.chance.random() * (len(flying) + 1))):
                flying.pop()

    async def stop(self) -> None:
        await elapse(0.001)


def _confirm(future: "asyncio.Future[object]", appended: Record) -> None:
    if not future.done():
        future.set_result(appended)


def _fail(future: "asyncio.Future[object]") -> None:
    if not future.done():
        future.set_exception(ConnectionError("no answer"))
        future.exception()
