"""A million armed deadlines: what they cost the timer, a poller of a Redis sorted set, and APScheduler, in one run.

All three read the same log of the same broker by the same fold rule, and send the same commands. APScheduler gets a
tenth of the deadlines: its memory store moves the rest of its list at each new one.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from redis.asyncio import Redis

from bench.deadlines import ARMED, PARTITIONS, Chain, armed
from bench.log import append
from bench.pace import cpu_seconds
from bench.rules import PEERS, install_peers
from bench.telling import tell
from bench.timer_live import lateness
from bus.kafka import KafkaLog
from bus.local import Home, Server, start_kafka, start_valkey
from bus.outcomes import PartitionFold
from bus.parts import Parts
from bus.records import Record, TopicPartition
from bus.sender import LetterSender
from bus.topics import ensure_topics
from timer.alarms import Alarms
from timer.clockwork import Clockwork

SESSION_MS = 6000
READ = {"timer": PARTITIONS, "redis": PARTITIONS, "apscheduler": 1}
"""How many of the partitions each reads."""
COST_RECORDS = 100_000
COST_RUNS = 5
RESTORES = 3
MIB = 2**20


async def measure() -> dict[str, float]:
    """Figures by name, then ratios of the others' to the timer's; medians where one is measured several times."""
    install_peers()
    tell("judging and arming")
    found = {"timer: µs of CPU a record, judged and armed, no body": await own_cost()}
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        kafka, valkey = await start_kafka(home), await start_valkey(home)
        log = KafkaLog(kafka.address, SESSION_MS)
        try:
            await ensure_topics(kafka.address, PARTITIONS)
            chains = [Chain(number) for number in range(PARTITIONS)]
            tell(f"writing a log of {ARMED:,} deadlines")
            await append(log, armed(chains))
            for name in READ:
                found |= await one(name, kafka, valkey, log, chains)
            found |= await restored(kafka, valkey, home)
        finally:
            await log.close()
            await kafka.stop()
            await valkey.stop()
    return found | ratios(found)


async def own_cost() -> float:
    """Microseconds of processor time from a read record to an armed deadline, the median of some runs."""
    source, chain = TopicPartition("table.events", 0), Chain(0)
    news = islice(armed([chain]), COST_RECORDS)
    records = [
        Record(*source, offset, 0, record.key, record.value, record.headers) for offset, record in enumerate(news)
    ]
    return median([await _cost(source, records) for _ in range(COST_RUNS)])


async def _cost(source: TopicPartition, records: Sequence[Record]) -> float:
    parts = Parts(KafkaLog("", SESSION_MS))
    fold = PartitionFold(source)
    sender = LetterSender(parts.log, "timer", ())
    clockwork = Clockwork(parts, sender, Alarms(), lambda _: None, lambda _: fold)
    await clockwork.gained(source)
    began = time.process_time()
    for outcome in fold.all(records):
        clockwork.outcome(outcome)
    return (time.process_time() - began) / len(records) * 1e6


async def one(name: str, kafka: Server, valkey: Server, log: KafkaLog, chains: Sequence[Chain]) -> dict[str, float]:
    """One of the three: reads the log, then rings."""
    count = READ[name]
    deadlines = ARMED * count // PARTITIONS
    tell(f"{name}: reading {deadlines:,} deadlines")
    async with timer_process(name, kafka.address, valkey.address) as (pid, read):
        tell(f"{name}: ringing")
        before, began = cpu_seconds(pid), time.monotonic()
        late = await lateness(log, chains, count, name)
        late["cores used while ringing"] = (cpu_seconds(pid) - before) / (time.monotonic() - began)
        server = await redis_bytes(valkey.address) if name == "redis" else 0
    return {
        f"{name}: deadlines armed": deadlines,
        f"{name}: arm or disarm from the log, records/s": read["records/s"],
        f"{name}: arm or disarm from the log, records/s of CPU": read["records/s of CPU"],
        f"{name}: seconds to read it all": read["seconds"],
        f"{name}: MiB, the process and its server": (read["bytes"] + server) / MIB,
        f"{name}: bytes a deadline": (read["bytes"] - read["bytes before"] + server) / deadlines,
    } | {f"{name}: {what}": value for what, value in late.items()}


@asynccontextmanager
async def timer_process(name: str, bootstrap: str, redis_url: str) -> AsyncIterator[tuple[int, Mapping[str, Any]]]:
    """Its process id, and what it says once it has read the log."""
    environment = {
        **os.environ,
        "KAFKA_BOOTSTRAP": bootstrap,
        "REDIS_URL": redis_url,
        "BENCH_TIMER": name,
        "BENCH_PARTITIONS": str(READ[name]),
        "PYTHONPATH": str(PEERS) if name == "apscheduler" else "",
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.timer_process"),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        line = await process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of {name} ended before it had read the log")
        yield process.pid, json.loads(line)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def redis_bytes(url: str) -> int:
    """Resident memory of the server."""
    redis = Redis.from_url(url)
    resident: int = (await redis.info("memory"))["used_memory_rss"]
    await redis.aclose()
    return resident


async def restored(kafka: Server, valkey: Server, home: Home) -> dict[str, float]:
    """Seconds until the timer has its snapshots and what came behind them, and until a Redis server that is started
    again has its append-only file in memory. What APScheduler keeps in memory it can only read anew."""
    ours, theirs = [], []
    for _ in range(RESTORES):
        tell("timer: restoring")
        async with timer_process("timer", kafka.address, valkey.address) as (_, read):
            ours.append(read)
        tell("redis: starting again")
        await valkey.stop()
        began = time.monotonic()
        valkey = await start_valkey(home)
        theirs.append(time.monotonic() - began)
    return {
        "timer: restore, s": median(read["seconds"] for read in ours),
        "timer: MiB of the process, restored": median(read["bytes"] for read in ours) / MIB,
        "redis: restore, s": median(theirs),
    }


def ratios(found: Mapping[str, float]) -> dict[str, float]:
    """The others' figures as multiples of the timer's."""
    compared = (
        "bytes a deadline",
        "arm or disarm from the log, records/s",
        "lateness p50, ms",
        "lateness p99, ms",
        "timeouts sent/s",
        "restore, s",
    )
    return {
        f"{name} : timer, {what}": found[f"{name}: {what}"] / found[f"timer: {what}"]
        for what in compared
        for name in ("redis", "apscheduler")
        if f"{name}: {what}" in found and f"timer: {what}" in found
    }


if __name__ == "__main__":
    for name, value in asyncio.run(measure()).items():
        print(f"{name}: {value:,.2f}")
