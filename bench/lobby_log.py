"""Tickets to one lobby process through a real broker beside it: how long each waits for its durable outcome at a steady
pace, and how many a second are decided at most."""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

from bench.pace import cpu_seconds, decider_process
from bus.kafka import KafkaLog
from bus.local import Home, start_kafka
from bus.outcomes import PartitionFold
from bus.partitioning import partition_of
from bus.records import LogUnavailable, NewRecord, TopicPartition
from bus.topics import ensure_topics
from contracts.envelope import CommandEnvelope
from contracts.message import Message
from contracts.region import JoinQueue, Pool
from contracts.topics import PARTITIONS_LOCAL

SESSION_MS = 6000
REGION = "eu"
COMMANDS = TopicPartition("lobby.commands", partition_of(REGION, PARTITIONS_LOCAL))
EVENTS = TopicPartition("lobby.events", COMMANDS.partition)
POOLS = [Pool(preset=preset, seats=2, target=target) for preset in ("draw", "block") for target in (50, 100, 150)]
RATE = 800
SECONDS = 15
WARM_UP_SECONDS = 3
AT_ONCE = 15_000
TICK_SECONDS = 0.004


async def measure() -> dict[str, float]:
    """One run each, a region without people at first, every other ticket a match."""
    return await _run(RATE * SECONDS, RATE) | await _run(AT_ONCE, None)


@dataclass
class Stopwatch:
    """When each ticket was sent, and when its outcome was read, in seconds of one clock."""

    sent: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    accepted: int = 0

    async def follow(self, log: KafkaLog, count: int) -> None:
        """Reads until the outcomes of so many tickets are there; nobody else sends commands to that partition."""
        fold = PartitionFold(EVENTS)
        reader = log.reader("bench-lobby")
        await reader.start([EVENTS])
        reader.seek(EVENTS, 0)
        while len(self.read) < count:
            for records in (await reader.poll(100)).values():
                now = time.monotonic()
                for outcome in fold.all(records):
                    self.read.append(now)
                    self.accepted += outcome.changes
        await reader.stop()


async def _run(count: int, rate: int | None) -> dict[str, float]:
    """Without a rate all of the tickets are in the log before the lobby starts."""
    with tempfile.TemporaryDirectory() as folder:
        server = await start_kafka(Home(Path(folder)))
        log = KafkaLog(server.address, SESSION_MS)
        try:
            await ensure_topics(server.address, PARTITIONS_LOCAL)
            watch, tickets = Stopwatch(), _tickets(count)
            if rate is None:
                await _send(log, tickets, watch, None)
            async with decider_process("lobby", server.address, SESSION_MS) as pid:
                await _owned(log)
                before = {each: cpu_seconds(each) for each in (pid, server.pid or os.getpid())}
                began = time.monotonic()
                reading = asyncio.create_task(watch.follow(log, count))
                if rate is not None:
                    await _send(log, tickets, watch, rate)
                await reading
                seconds = time.monotonic() - began
                cores = [(cpu_seconds(each) - used) / seconds for each, used in before.items()]
        finally:
            await log.close()
            await server.stop()
    if watch.accepted < count:
        raise SystemExit(f"expected {count} accepted tickets, got {watch.accepted}")
    return _at_most(watch) if rate is None else _paced(watch, rate, cores)


def _paced(watch: Stopwatch, rate: int, cores: Sequence[float]) -> dict[str, float]:
    pairs = zip(watch.sent, watch.read, strict=True)
    waits = [(read - sent) * 1000 for sent, read in pairs if sent - watch.sent[0] > WARM_UP_SECONDS]
    cuts = quantiles(waits, n=1000)
    return {
        "tickets/s asked for": rate,
        "tickets/s decided and read": len(watch.read) / (watch.read[-1] - watch.sent[0]),
        "ticket sent to outcome read, p50 ms": cuts[499],
        "ticket sent to outcome read, p99 ms": cuts[989],
        "ticket sent to outcome read, p99.9 ms": cuts[998],
        "cores used by the lobby": cores[0],
        "cores used by the broker": cores[1],
    }


def _at_most(watch: Stopwatch) -> dict[str, float]:
    """Between the first tenth and the last ticket: the process starts, and reads what is already there."""
    first = len(watch.read) // 10
    return {"tickets/s at most": (len(watch.read) - first) / (watch.read[-1] - watch.read[first])}


def _tickets(count: int) -> list[NewRecord]:
    joins = [JoinQueue(pool=pool) for pool in POOLS]
    return [command(f"person-{number}", joins[number % len(joins)], number) for number in range(count)]


def command(principal: str, message: Message, number: int) -> NewRecord:
    """A command to the region, as a gateway sends it; `number` is its id."""
    envelope = CommandEnvelope(
        id=f"c{number}", principal=principal, aggregate=REGION, command=message.model_dump(), human=True
    )
    return NewRecord(*COMMANDS, REGION.encode(), envelope.model_dump_json().encode())


async def _send(log: KafkaLog, tickets: Sequence[NewRecord], watch: Stopwatch, rate: int | None) -> None:
    writer = log.writer("bench-lobby")
    await writer.start()
    sends: list[asyncio.Future[object]] = []
    began = time.monotonic()
    while len(sends) < len(tickets):
        due = len(sends) + 500 if rate is None else int((time.monotonic() - began) * rate)
        for record in tickets[len(sends) : due]:
            watch.sent.append(time.monotonic())
            sends.append(await writer.append(record))
        await asyncio.sleep(TICK_SECONDS)
    await asyncio.gather(*sends)
    await writer.stop()


async def _owned(log: KafkaLog) -> None:
    """Returns when the region has an owner; a broker that has just begun may not answer at first."""
    end = 0
    while end < 2:
        await asyncio.sleep(0.02)
        with suppress(LogUnavailable):
            end = (await log.bounds(EVENTS))[1]


if __name__ == "__main__":
    for name, value in asyncio.run(measure()).items():
        print(f"{name}: {value:,.2f}")
