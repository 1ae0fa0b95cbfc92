"""Commands a second of one table process with the real rules, broker and process sharing this machine's cores."""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.matches import many_commands
from bench.pace import SESSION_MS, TABLE, cpu_seconds, decider_process
from bus.kafka import KafkaLog
from bus.local import Home, start_kafka
from bus.outcomes import PartitionFold
from bus.partitioning import partition_of
from bus.records import NewRecord, TopicPartition
from bus.topics import ensure_topics
from contracts.envelope import CommandEnvelope
from contracts.topics import PARTITIONS_LOCAL

RUNS = 3
COMMANDS = 30_000


async def measure() -> dict[str, float]:
    """Medians of three runs: commands/s decided and made durable, and the table process's share of the CPU."""
    commands = many_commands(COMMANDS)
    rates = [await _run(commands) for _ in range(RUNS)]
    return {
        "commands decided/s, one table process": median(rate for rate, _ in rates),
        "CPU seconds of the table process per second": median(share for _, share in rates),
    }


async def _run(commands: list[CommandEnvelope]) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        server = await start_kafka(Home(Path(folder)))
        try:
            await ensure_topics(server.address, PARTITIONS_LOCAL)
            log = KafkaLog(server.address, SESSION_MS)
            await _write(log, commands)
            result = await _decide(log, server.address, len(commands))
            await log.close()
            return result
        finally:
            await server.stop()


async def _write(log: KafkaLog, commands: list[CommandEnvelope]) -> None:
    writer = log.writer("bench")
    await writer.start()
    sends = []
    for number, command in enumerate(commands):
        partition = partition_of(command.aggregate, PARTITIONS_LOCAL)
        value = command.model_dump_json().encode()
        sends.append(await writer.append(NewRecord("table.commands", partition, command.aggregate.encode(), value)))
        if number % 200 == 0:
            await asyncio.sleep(0)
    await asyncio.gather(*sends)
    await writer.stop()


async def _decide(log: KafkaLog, bootstrap: str, count: int) -> tuple[float, float]:
    partitions = [TopicPartition("table.events", number) for number in range(PARTITIONS_LOCAL)]
    async with decider_process(TABLE, bootstrap, SESSION_MS) as pid:
        while await _ends(log, partitions) < 500:
            await asyncio.sleep(0.02)
        before, began, cpu = await _ends(log, partitions), time.monotonic(), cpu_seconds(pid)
        while (now := await _ends(log, partitions)) < count:
            await asyncio.sleep(0.02)
        seconds = time.monotonic() - began
        share = (cpu_seconds(pid) - cpu) / seconds
    await _check(log, partitions, count)
    return (now - before) / seconds, share


async def _ends(log: KafkaLog, partitions: list[TopicPartition]) -> int:
    return sum([(await log.bounds(partition))[1] for partition in partitions])


async def _check(log: KafkaLog, partitions: list[TopicPartition], count: int) -> None:
    """Everything was really decided, and accepted: a fast process that refuses would prove nothing."""
    reader = log.reader("bench-check")
    await reader.start(partitions)
    folds = {partition: PartitionFold(partition) for partition in partitions}
    for partition in partitions:
        reader.seek(partition, 0)
    valid = accepted = 0
    while valid < count:
        for partition, records in (await reader.poll(200)).items():
            for outcome in folds[partition].all(records):
                valid += 1
                accepted += outcome.changes
    await reader.stop()
    if accepted < count:
        raise SystemExit(f"expected {count} accepted commands, got {accepted}")


if __name__ == "__main__":
    for name, value in asyncio.run(measure()).items():
        print(f"{name}: {value:,.2f}")
