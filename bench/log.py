"""What a table process needs to take partitions over: from a cold log, and from a snapshot of many live tables."""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.matches import KNOWN_ENTROPY, NOW, TableShard, many_commands
from bus import digest
from bus.header import HEADER, Claim, Founding, OutcomeHeader, pack
from bus.kafka import KafkaLog
from bus.local import Home, start_kafka
from bus.records import NewRecord, Record, TopicPartition
from bus.shard import Shard
from bus.snapshots import Marker
from bus.snapshots.records import StateCodec, chunks_of
from bus.topics import ensure_topics
from bus.validity import Validity
from domino_rules.table import Playing
from table.decider import TableDecider

SESSION_MS = 6000
COMMANDS = 4000
COPIES = 30
LIVE_TABLES = 100_000
OWNER, LOG_ID = b"b" * 16, b"l" * 16
EVENTS, SNAPSHOTS, MARKERS = (TopicPartition(f"table.{kind}", 0) for kind in ("events", "snapshots", "markers"))

Played = tuple[TableShard, list[tuple[bytes, bytes, OutcomeHeader]]]


async def measure() -> dict[str, float]:
    """One run each, one partition each, restored by the table's own runtime in a process of its own."""
    played = play(COMMANDS)
    return await cold_log(played) | await live_tables(played)


def play(count: int) -> Played:
    """A shard that has decided whole matches, and the outcomes that it wrote."""
    shard: TableShard = Shard(TableDecider(), 0, 1)
    for offset, new in enumerate((_protocol(Founding(LOG_ID)), _protocol(Claim(OWNER, 0)))):
        shard.restore(Record(*EVENTS, offset, 0, None, b"", new.headers))
    outcomes = []
    for number, command in enumerate(many_commands(count)):
        value = command.model_dump_json().encode()
        record = Record("table.commands", 0, number, 0, command.aggregate.encode(), value, ())
        decided = shard.decide(record, NOW, NOW, KNOWN_ENTROPY)
        outcomes.append((decided.key, decided.value, decided.header))
    return shard, outcomes


async def cold_log(played: Played) -> dict[str, float]:
    """Events/s of wall clock and of one core's time, bodies and all, the claim included."""
    _, outcomes = played
    async with broker() as (bootstrap, log):
        await append(log, copied(outcomes))
        found = restore(bootstrap)
    events = COPIES * sum(header.to_version - header.from_version for _, _, header in outcomes)
    return {
        "cold log: events": events,
        "cold log: events restored/s": events / found["seconds"],
        "cold log: events restored/s of CPU": events / found["cpu_seconds"],
    }


async def live_tables(played: Played) -> dict[str, float]:
    """Seconds from nothing to owning, and bytes of resident memory for each table, untouched and once all are awake."""
    async with broker() as (bootstrap, log):
        await append(log, snapshot(played[0], LIVE_TABLES))
        found = restore(bootstrap)
    return {
        f"{LIVE_TABLES} live tables from a snapshot: seconds": found["seconds"],
        "live tables: CPU seconds": found["cpu_seconds"],
        "live tables: KiB each, as restored": found["bytes"] / LIVE_TABLES / 1024,
        "live tables: KiB each, all awake": found["bytes_awake"] / LIVE_TABLES / 1024,
    }


def copied(outcomes: Iterable[tuple[bytes, bytes, OutcomeHeader]]) -> Iterable[NewRecord]:
    """A claim's log that holds the same matches many times over, under other names."""
    yield _protocol(Founding(LOG_ID))
    yield _protocol(Claim(OWNER, 0))
    total = number = 0
    for copy in range(COPIES):
        prefix = f"copy{copy:02}".encode()
        for key, value, header in outcomes:
            name = key.replace(b"bench", prefix)
            for version in (header.from_version, header.to_version):
                total ^= digest.term(name.decode(), version)
            own = replace(header, claim_offset=1, command_offset=number, digest=total)
            yield NewRecord(*EVENTS, name, value.replace(b"bench", prefix), ((HEADER, pack(own)),))
            number += 1


def snapshot(shard: TableShard, count: int) -> Iterable[NewRecord]:
    """`count` tables in the middle of a match, and the marker that says so."""
    codec = StateCodec(shard.decider)
    live = [(key, each) for key, each in shard.aggregates.items() if isinstance(each.state, Playing)]
    contents = [(key.encode(), each.version, codec.encode(each)) for key, each in live]
    yield _protocol(Founding(LOG_ID))
    yield _protocol(Claim(OWNER, 0))
    total = 0
    for number in range(count):
        key, version, content = contents[number % len(contents)]
        name = key + b"-%06d" % number
        total ^= digest.term(name.decode(), version)
        for record_key, value in chunks_of(name.decode(), 1, 1, content.replace(key, name)):
            yield NewRecord(*SNAPSHOTS, record_key, value)
    validity = Validity(LOG_ID, 1, OWNER)
    marker = Marker(2, validity, total, None, count, 0, shard.decider.rules_version, shard.decider.snapshot_version)
    yield NewRecord(*MARKERS, marker.key(0), marker.pack())


def _protocol(header: Founding | Claim) -> NewRecord:
    return NewRecord(*EVENTS, None, b"", ((HEADER, pack(header)),))


@asynccontextmanager
async def broker() -> AsyncIterator[tuple[str, KafkaLog]]:
    with tempfile.TemporaryDirectory() as folder:
        server = await start_kafka(Home(Path(folder)))
        log = KafkaLog(server.address, SESSION_MS)
        try:
            await ensure_topics(server.address, 1)
            yield server.address, log
        finally:
            await log.close()
            await server.stop()


async def append(log: KafkaLog, records: Iterable[NewRecord]) -> None:
    writer = log.writer("bench")
    await writer.start()
    sends: list[asyncio.Future[object]] = []
    for record in records:
        sends.append(await writer.append(record))
        if len(sends) == 2000:
            await asyncio.gather(*sends)
            sends.clear()
    await asyncio.gather(*sends)
    await writer.stop()


def restore(bootstrap: str) -> dict[str, Any]:
    """What a process that restores the one partition says of itself."""
    command = [sys.executable, "-m", "bench.restore_process", bootstrap]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    for name, value in asyncio.run(measure()).items():
        print(f"{name}: {value:,.2f}")
