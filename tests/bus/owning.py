"""A decider's process that owns the one partition of a log in memory, and what a test needs to talk to it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from tests.bus.tally import Command, Event, Tally, TallyDecider
from tests.memory_log import MemoryLog

from bus.decider import Decider
from bus.outcomes import PartitionFold
from bus.records import NewRecord, TopicPartition
from bus.runtime import DeciderRuntime
from bus.shard import Shard
from contracts.envelope import OutcomeBody

EVENTS = TopicPartition("tally.events", 0)
COMMANDS = TopicPartition("tally.commands", 0)
SNAPSHOTS = TopicPartition("tally.snapshots", 0)
MARKERS = TopicPartition("tally.markers", 0)
TallyShard = Shard[Tally, Command, Event]
OFTEN = 0.01


@asynccontextmanager
async def owning(
    log: MemoryLog, snapshot_seconds: float | None = None, decider: Decider[Tally, Command, Event] | None = None
) -> AsyncIterator[asyncio.Task[None]]:
    """What ends the process is raised when the block ends."""
    log.assigned = {COMMANDS}
    parts = replace(log.parts(), chance=lambda: 0.0)
    runtime = DeciderRuntime(decider or TallyDecider(), parts, session_ms=2000, snapshot_seconds=snapshot_seconds)
    await runtime.start()
    work = asyncio.create_task(runtime.run())
    try:
        yield work
    finally:
        work.cancel()
        (result,) = await asyncio.gather(work, return_exceptions=True)
        if isinstance(result, Exception):
            raise result


def send(log: MemoryLog, aggregate: str, command: dict[str, Any], command_id: str) -> None:
    body = {"id": command_id, "principal": "tester", "aggregate": aggregate, "command": command}
    log.put(NewRecord(*COMMANDS, aggregate.encode(), json.dumps(body).encode()))


def add(log: MemoryLog, aggregate: str, number: int, command_id: str) -> None:
    send(log, aggregate, {"type": "add", "number": number}, command_id)


async def until_decided(log: MemoryLog, command_id: str) -> OutcomeBody:
    """The command's newest outcome, whatever else cannot be read in the log."""
    async with asyncio.timeout(10):
        while True:
            for record in reversed(log.all(EVENTS.topic)):
                if record.value and command_id.encode() in record.value and record.value.endswith(b"}"):
                    return OutcomeBody.model_validate_json(record.value)
            await log.moved.wait()


def decided(log: MemoryLog) -> list[OutcomeBody]:
    """The bodies of all valid outcomes."""
    return [outcome.body() for outcome in PartitionFold(EVENTS).all(log.all(EVENTS.topic))]


def folded(log: MemoryLog) -> TallyShard:
    """What the log alone says."""
    shard: TallyShard = Shard(TallyDecider(), 0, 1)
    for record in log.all(EVENTS.topic):
        shard.restore(record)
    return shard


async def with_snapshot(commands: int = 4) -> MemoryLog:
    """A log of commands `c0`, `c1`, ... to the aggregates `a0` and `a1`, whose snapshot is whole."""
    log = MemoryLog(partitions=1)
    async with owning(log, OFTEN):
        for number in range(commands):
            add(log, f"a{number % 2}", 1, f"c{number}")
        await until_decided(log, f'"c{commands - 1}"')
        await log.until(MARKERS.topic, len(log.all(MARKERS.topic)) + 2)
    return log


def spoil(log: MemoryLog, partition: TopicPartition, first: int = 0, end: int | None = None) -> None:
    """From `first` to before `end` no record can be read any more."""
    held = log.records[partition]
    for offset in range(len(held))[first:end]:
        value = held[offset].value
        if value is not None:
            held[offset] = replace(held[offset], value=value[:-1], headers=())
