"""Deadlines that fall due while a timer runs, and how late its commands are in the log."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from statistics import quantiles

from bench.deadlines import Chain, now_ms
from bus.decider import Deadline
from bus.kafka import KafkaLog
from bus.outcomes import key_of
from bus.records import LogReader, LogWriter, NewRecord, TopicPartition

DUE_A_SECOND = 2000
DUE_SECONDS = 10
AHEAD_MS = 5000
"""So long before the first of them is due they begin to be written."""
LATE_SECONDS_MAX = 15
BEAT_SECONDS = 1.0


async def lateness(log: KafkaLog, chains: Sequence[Chain], count: int, prefix: str) -> dict[str, float]:
    """From each deadline to its command, by the broker's clock alone, at 2,000 a second for ten seconds. The deadlines
    are those of aggregates on the first `count` partitions, and are ended afterwards."""
    due = {f"{prefix}-{number}": 0 for number in range(DUE_A_SECOND * DUE_SECONDS)}
    chain_of = {name: chains[number % count] for number, name in enumerate(due)}
    async with commands(log, len(chains)) as reader, owning(log, chains) as writer:
        first = now_ms() + AHEAD_MS
        for number, name in enumerate(due):
            due[name] = first + number * 1000 // DUE_A_SECOND
            deadline = Deadline("turn", f"turn-{number}", now_ms(), due[name])
            await writer.append(chain_of[name].outcome(name, deadline, b"{}"))
        logged = await read(reader, due, first + (DUE_SECONDS + LATE_SECONDS_MAX) * 1000)
        for name, chain in chain_of.items():
            await writer.append(chain.outcome(name, None, b"{}"))
    cuts = quantiles([at - due[name] for name, at in logged.items()], n=100)
    return {
        "timeouts due/s": DUE_A_SECOND,
        "timeouts sent/s": len(logged) / (max(logged.values()) - first) * 1000,
        "timeouts that came (want all)": len(logged) / len(due),
        "lateness p50, ms": cuts[49],
        "lateness p99, ms": cuts[98],
    }


async def read(reader: LogReader, due: Mapping[str, int], until: int) -> dict[str, int]:
    """When each command was logged, of all of `due`, or of those that came by `until`."""
    logged: dict[str, int] = {}
    while len(logged) < len(due) and now_ms() < until:
        for records in (await reader.poll(100)).values():
            for record in records:
                if (name := key_of(record)) in due:
                    logged.setdefault(name, record.log_time)
    if not logged:
        raise SystemExit("no timeout came")
    return logged


@asynccontextmanager
async def commands(log: KafkaLog, partitions: int) -> AsyncIterator[LogReader]:
    """What comes from now on."""
    places = [TopicPartition("table.commands", number) for number in range(partitions)]
    reader = log.reader("bench")
    await reader.start(places)
    for place in places:
        reader.seek(place, (await log.bounds(place))[1])
    try:
        yield reader
    finally:
        await reader.stop()


@asynccontextmanager
async def owning(log: KafkaLog, chains: Sequence[Chain]) -> AsyncIterator[LogWriter]:
    """An owner that is heard every second: where none is, nothing falls due."""
    writer = log.writer("bench")
    await writer.start()

    async def beat() -> None:
        while True:
            beats: list[NewRecord] = [chain.beat() for chain in chains]
            for record in beats:
                await writer.append(record)
            await asyncio.sleep(BEAT_SECONDS)

    beating = asyncio.create_task(beat())
    try:
        yield writer
    finally:
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)
        await writer.stop()
