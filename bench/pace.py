"""Commands to one table process at a steady pace: how long each waits for its durable outcome, and who uses the CPU."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles

from bench.matches import many_commands
from bus.kafka import KafkaLog
from bus.local import Home, start_kafka
from bus.outcomes import PartitionFold
from bus.partitioning import partition_of
from bus.records import NewRecord, TopicPartition
from bus.topics import ensure_topics
from contracts.envelope import CommandEnvelope
from contracts.topics import PARTITIONS_LOCAL

SESSION_MS = 2000
TABLE = "bench.table_process"
RATE = 5200
SECONDS = 10
TABLES_MANY = 20_000
WARM_UP_SECONDS = 2
TICK_SECONDS = 0.004
PARTITIONS = [TopicPartition("table.events", number) for number in range(PARTITIONS_LOCAL)]


class Stopwatch:
    """When each command was sent, and when its outcome was read, in seconds of one clock."""

    def __init__(self, log: KafkaLog) -> None:
        self._log = log
        self._sent: dict[int, list[float]] = {number: [] for number in range(PARTITIONS_LOCAL)}
        self._folds = {partition: PartitionFold(partition) for partition in PARTITIONS}
        self.times: list[tuple[float, float]] = []
        self.accepted = 0

    def sent(self, partition: int) -> None:
        self._sent[partition].append(time.monotonic())

    async def read(self, count: int) -> None:
        """Reads until `count` valid outcomes are there."""
        reader = self._log.reader("bench-pace")
        await reader.start(PARTITIONS)
        for partition in PARTITIONS:
            reader.seek(partition, 0)
        while len(self.times) < count:
            for partition, records in (await reader.poll(100)).items():
                now = time.monotonic()
                for outcome in self._folds[partition].all(records):
                    sent = self._sent[partition.partition][outcome.header.command_offset]
                    self.times.append((sent, now))
                    self.accepted += outcome.changes
        await reader.stop()


async def measure() -> dict[str, float]:
    """Percentiles after a warm-up, and the CPU's shares in cores: of matches at 300 tables, then the same number of
    commands at so many tables that the process keeps far more than it works on."""
    found = await _run(many_commands(RATE * SECONDS)[: RATE * SECONDS])
    many = await _run(many_commands(RATE * SECONDS, TABLES_MANY)[: RATE * SECONDS])
    return found | {f"{TABLES_MANY} tables: {name}": value for name, value in many.items()}


async def _run(commands: Sequence[CommandEnvelope]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        server = await start_kafka(Home(Path(folder)))
        log = KafkaLog(server.address, SESSION_MS)
        try:
            await ensure_topics(server.address, PARTITIONS_LOCAL)
            async with decider_process(TABLE, server.address, SESSION_MS) as pid:
                broker = server.pid or os.getpid()
                before, began = cpu_seconds(broker), time.monotonic()
                found = await _pace(log, commands, pid)
                return found | {"cores used by the broker": (cpu_seconds(broker) - before) / (time.monotonic() - began)}
        finally:
            await log.close()
            await server.stop()


@asynccontextmanager
async def decider_process(module: str, bootstrap: str, session_ms: int) -> AsyncIterator[int]:
    """Its pid."""
    environment = {**os.environ, "KAFKA_BOOTSTRAP": bootstrap, "CAPICUA_SESSION_MS": str(session_ms)}
    process = subprocess.Popen([sys.executable, "-m", module], env=environment, stderr=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()


async def _pace(log: KafkaLog, commands: Sequence[CommandEnvelope], pid: int) -> dict[str, float]:
    watch = Stopwatch(log)
    while await _claimed(log) < PARTITIONS_LOCAL:
        await asyncio.sleep(0.05)
    reading = asyncio.create_task(watch.read(len(commands)))
    before, own = cpu_seconds(pid), time.process_time()
    await _send(log, commands, watch)
    await reading
    began = watch.times[0][0]
    seconds = watch.times[-1][1] - began
    cuts = quantiles([(read - sent) * 1000 for sent, read in watch.times if sent - began > WARM_UP_SECONDS], n=1000)
    return {
        "commands/s asked for": RATE,
        "commands/s decided and read": len(commands) / seconds,
        "accepted (want all)": watch.accepted / len(commands),
        "send to outcome read, p50 ms": cuts[499],
        "send to outcome read, p99 ms": cuts[989],
        "send to outcome read, p99.9 ms": cuts[998],
        "cores used by the table process": (cpu_seconds(pid) - before) / seconds,
        "cores used by sender and reader": (time.process_time() - own) / seconds,
    }


async def _claimed(log: KafkaLog) -> int:
    return sum([(await log.bounds(partition))[1] > 2 for partition in PARTITIONS])


async def _send(log: KafkaLog, commands: Sequence[CommandEnvelope], watch: Stopwatch) -> None:
    records = []
    for command in commands:
        partition = partition_of(command.aggregate, PARTITIONS_LOCAL)
        value = command.model_dump_json().encode()
        records.append(NewRecord("table.commands", partition, command.aggregate.encode(), value))
    writer = log.writer("bench-pace")
    await writer.start()
    began, number = time.monotonic(), 0
    while number < len(records):
        due = min(len(records), int((time.monotonic() - began) * RATE))
        for record in records[number:due]:
            watch.sent(record.partition)
            await writer.append(record)
        number = max(number, due)
        await asyncio.sleep(TICK_SECONDS)
    await writer.stop()


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    for name, value in asyncio.run(measure()).items():
        print(f"{name}: {value:,.2f}")
