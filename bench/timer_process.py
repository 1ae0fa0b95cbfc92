"""A timer without a group: reads the first partitions of `table.events`, says on standard output what that took, then
rings. BENCH_TIMER names who waits (`timer`, `redis`, `apscheduler`), BENCH_PARTITIONS how many partitions it reads."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Protocol

from bench.restore_process import resident
from bench.timer_peers import RedisPoller, Scheduler
from bus.group_tail import Begin, from_the_start
from bus.health import Progress
from bus.outcomes import FoldOf, Outcome
from bus.parts import Parts, kafka_parts
from bus.process import Process, Step, main
from bus.records import TopicPartition
from bus.sender import LetterSender
from bus.settings import BusSettings
from bus.tail import OutcomeHandler, Tail
from timer.alarms import Alarms
from timer.clockwork import Clockwork
from timer.snapshots import SNAPSHOT_SECONDS, SnapshotLoader, SnapshotWriter

SLICE = 50_000
STOP_SECONDS_MAX = 60.0


class Timer(OutcomeHandler, Protocol):
    """Whoever waits: what the tail tells it, and the loop that rings."""

    async def run(self) -> None: ...

    async def stop(self) -> None: ...


class Reading:
    """Hands everything on to a timer; after each slice of records it looks at the clocks."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self.outcome: Callable[[Outcome], None] = timer.outcome
        self.gained, self.caught_up, self.lost = timer.gained, timer.caught_up, timer.lost
        self._records: dict[TopicPartition, int] = {}
        self._slices: list[tuple[int, float, float]] = []
        self._before = 0

    def begin(self) -> None:
        self._before = resident()
        self._slices.append((0, time.monotonic(), time.process_time()))

    async def flush(self, partition: TopicPartition, position: int) -> None:
        await self._timer.flush(partition, position)
        self._records[partition] = position
        count = sum(self._records.values())
        if count - self._slices[-1][0] >= SLICE:
            self._slices.append((count, time.monotonic(), time.process_time()))

    def _rate(self, clock: int) -> float:
        """Records a second, the median of all slices; by wall clock (1) or by processor time (2)."""
        rates = [(now[0] - then[0]) / (now[clock] - then[clock]) for then, now in pairwise(self._slices)]
        return median(rates) if rates else 0.0

    def found(self) -> dict[str, float]:
        return {
            "seconds": time.monotonic() - self._slices[0][1],
            "records/s": self._rate(1),
            "records/s of CPU": self._rate(2),
            "bytes": resident(),
            "bytes before": self._before,
        }


@dataclass
class Contestant:
    """`begin` says where the reading of a partition begins."""

    timer: Timer
    start: Step
    stop: Step
    begin: Begin = from_the_start


def our_timer(parts: Parts, fold_of: FoldOf) -> Contestant:
    """All that the timer's process has but for the group. Where it found no snapshots, it writes them when it is
    stopped, all of them."""
    sender, alarms = LetterSender(parts.log, "timer", ["table.commands"]), Alarms()
    loader = SnapshotLoader(parts, ["table.events"], Progress(parts.clock))
    clockwork = Clockwork(parts, sender, alarms, loader.take, fold_of)
    writer = SnapshotWriter(parts, alarms, fold_of, loader.keys, SNAPSHOT_SECONDS)

    async def start() -> None:
        await sender.start()
        await loader.start()

    async def stop() -> None:
        for source in alarms.sources:
            if (shelf := alarms.shelf(source)) is not None and not shelf.restored_from:
                await writer.write(source, shelf)
        await writer.stop()
        await loader.stop()
        await sender.stop()

    return Contestant(clockwork, start, stop, loader.load)


def contestant(parts: Parts, fold_of: FoldOf) -> Contestant:
    """The one that BENCH_TIMER names."""
    match os.environ["BENCH_TIMER"]:
        case "timer":
            return our_timer(parts, fold_of)
        case "redis":
            poller = RedisPoller(parts, os.environ["REDIS_URL"])
            return Contestant(poller, poller.start, nothing)
        case "apscheduler":
            scheduler = Scheduler(parts)
            return Contestant(scheduler, scheduler.start, nothing)
        case other:
            sys.exit(f"expected timer, redis or apscheduler, got {other}")


async def nothing() -> None: ...


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    partitions = [TopicPartition("table.events", number) for number in range(int(os.environ["BENCH_PARTITIONS"]))]
    found = contestant(parts, lambda partition: tail.fold(partition))
    reading = Reading(found.timer)
    tail = Tail(parts, reading, Progress(parts.clock))
    caught_up = asyncio.Event()

    async def read() -> None:
        await tail.start(partitions, "bench-timer")
        reading.begin()
        for partition in partitions:
            await tail.gain(partition, await found.begin(partition))
        while tail.catching_up:
            await tail.step()
        print(json.dumps(reading.found()), flush=True)
        caught_up.set()
        while True:
            await tail.step()

    async def ring() -> None:
        await caught_up.wait()
        await found.timer.run()

    stop = (found.timer.stop, found.stop, tail.stop, log.close)
    return Process("bench-timer", start=(found.start,), loops=(read, ring), stop=stop, stop_seconds=STOP_SECONDS_MAX)


if __name__ == "__main__":
    main("bench-timer", BusSettings, build)
