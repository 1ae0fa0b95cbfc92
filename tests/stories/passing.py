"""Time that stands still until a story lets it pass, on the log of real brokers.

Every record that is appended says in a header of its own at which log time, and whoever reads it goes by that one
instead of the broker's: the same for all processes, for readers that come later too. So hours pass at once, a command
is logged on the very millisecond that a story is about, and how busy the machine is changes nothing: no clock of a
process moves either.
"""

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from bus.access import KafkaAccess
from bus.clock import BrokerTime, SystemClock
from bus.kafka import KafkaLog, KafkaReader, KafkaWriter
from bus.parts import Parts
from bus.records import NewRecord, Record, TopicPartition
from bus.settings import BusSettings

OTHERS = ("table.projector", "lobby", "timer", "account", "gateway")
STAMP = "stood-at"
SEED_BYTES = 32
NOON = 1_900_000_000_000
"""When every run of the stories begins, in ms: the same each time, so that its deals are the same too."""


class Time:
    """Log time as the stories have it, in ms. Most of it is let pass (`Record.passed`); `apart_ms` have passed on the
    brokers' own clocks, for only by those an owner was silent."""

    def __init__(self) -> None:
        self.now = NOON
        self.apart_ms = 0
        self._ahead: dict[tuple[str, int], int] = {}

    @contextmanager
    def first_in(self, decider: str, partition: int, at: int) -> Iterator[None]:
        """It is `at` for this partition within; for all others only afterwards. What is appended within comes before
        anything that the timer does about a deadline that passes by it."""
        assert at >= self.now, "time does not go back"
        self._ahead[decider, partition] = at
        try:
            yield
        finally:
            del self._ahead[decider, partition]
            self.now = max(self.now, at)

    def stamp(self, record: NewRecord) -> bytes:
        decider = record.topic.partition(".")[0]
        return f"{self._ahead.get((decider, record.partition), self.now)} {self.apart_ms}".encode()

    @contextmanager
    def rules(self) -> Iterator[None]:
        """Processes that are built within go by this time for good."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("table.app.kafka_parts", self.parts_of_table)
            for process in OTHERS:
                patch.setattr(f"{process}.app.kafka_parts", self.parts)
            yield

    def parts(self, settings: BusSettings) -> tuple[KafkaLog, Parts]:
        """What `bus.parts.kafka_parts` gives, with this time in it."""
        log, clock = (
            PassingLog(self, settings.kafka_bootstrap, settings.session_ms, KafkaAccess.of(settings)),
            Standing(),
        )
        return log, Parts(log, clock, time=BrokerTime(clock))

    def parts_of_table(self, settings: BusSettings) -> tuple[KafkaLog, Parts]:
        """The same; every decision draws the same seed, so that a table's deals follow from its id."""
        log, parts = self.parts(settings)
        return log, replace(parts, entropy=_same_seed)


class Standing(SystemClock):
    """A process never stood still by this clock, and broker time is the newest record's. Tokens are good by the wall
    clock, which goes on."""

    def monotonic(self) -> float:
        return 0.0


class PassingLog(KafkaLog):
    def __init__(self, time: Time, bootstrap: str, session_ms: int, access: KafkaAccess | None = None) -> None:
        super().__init__(bootstrap, session_ms, access)
        self._time = time

    def reader(self, name: str) -> KafkaReader:
        return PassingReader(self._bootstrap, name, self._access)

    def writer(self, name: str) -> KafkaWriter:
        return StampingWriter(self._time, self._bootstrap, name, self._access)


class StampingWriter(KafkaWriter):
    def __init__(self, time: Time, bootstrap: str, name: str, access: KafkaAccess) -> None:
        super().__init__(bootstrap, name, access)
        self._time = time

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        return await super().append(replace(record, headers=(*record.headers, (STAMP, self._time.stamp(record)))))


class PassingReader(KafkaReader):
    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        batches = await super().poll(timeout_ms)
        return {partition: [_stood(record) for record in records] for partition, records in batches.items()}


def _stood(record: Record) -> Record:
    """The record at the time that its stamp says."""
    stamp = record.header(STAMP)
    assert stamp is not None, f"{record.topic}:{record.partition}:{record.offset} is not the stories'"
    at, apart_ms = map(int, stamp.split())
    return replace(record, timestamp=NOON + apart_ms, passed=at - NOON - apart_ms)


def _same_seed(size: int) -> bytes:
    """Claims and heartbeats need ids of their own; a decision draws 32 bytes."""
    return bytes(size) if size == SEED_BYTES else os.urandom(size)
