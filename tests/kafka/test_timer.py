"""Timers as processes of their own on a real broker: killed, restarted from snapshots and without, two at once."""

import asyncio
import os
import secrets
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.kafka.deciding import running
from tests.kafka.ledger import PARTITIONS, SESSION_MS, Ledger, make_topics, sender_to

from bus.health import Progress
from bus.kafka import KafkaLog
from bus.local import Home
from bus.local.health import http_ok
from bus.local.ports import HOST, choose_port
from bus.local.process import OwnedProcess
from bus.outages import Outages
from bus.parts import Parts
from bus.records import NewRecord, TopicPartition
from bus.sender import CommandSender, LetterSender
from bus.tail import Tail
from bus.topics import ensure_topics
from contracts.envelope import CommandEnvelope
from contracts.topics import PARTITIONS_LOCAL
from timer.alarms import Alarms
from timer.clockwork import Clockwork
from timer.snapshots import SnapshotLoader
from timer.snapshots.records import TOPIC, prefix_of

SNAPSHOT_SECONDS = 0.4
HOUR_MS = 3_600_000
WAIT_SECONDS = 90
Known = tuple[dict[str, bytes | None], Outages]


@pytest.fixture
async def name(kafka_bootstrap: str) -> str:
    name = f"alarmed-{secrets.token_hex(4)}"
    await make_topics(kafka_bootstrap, name)
    await ensure_topics(kafka_bootstrap, PARTITIONS_LOCAL)
    return name


@asynccontextmanager
async def timer_process(bootstrap: str, name: str, home: Home, group: str = "one") -> AsyncIterator[OwnedProcess]:
    """A timer that has caught up."""
    port = choose_port("CAPICUA_HEALTH_PORT", remembered=None, preferred=None, avoid=())
    environment = {
        **os.environ,
        "KAFKA_BOOTSTRAP": bootstrap,
        "CAPICUA_SESSION_MS": str(SESSION_MS),
        "CAPICUA_HEALTH_PORT": str(port),
        "TALLY_NAME": name,
        "TIMER_GROUP": f"{name}-{group}",
        "TIMER_SNAPSHOT_SECONDS": str(SNAPSHOT_SECONDS),
    }
    command = [sys.executable, "-m", "tests.kafka.timer_process"]
    process = OwnedProcess.spawn(f"{name}-{group}", command, home, environment=environment)
    try:
        await process.wait_healthy(lambda: http_ok(HOST, port, "/ready"))
        yield process
    finally:
        await process.stop()


async def arm(sender: CommandSender, prefix: str, count: int, milliseconds: int) -> None:
    command = {"type": "arm", "milliseconds": milliseconds}
    envelopes = [
        CommandEnvelope(id=f"arm-{prefix}{n}", principal="tester", aggregate=f"{prefix}{n}", command=command)
        for n in range(count)
    ]
    await asyncio.gather(*(sender.send(envelope) for envelope in envelopes))


async def rung(bootstrap: str, name: str, count: int) -> Ledger:
    """The log, once `count` aggregates have rung."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            ledger = Ledger(bootstrap, name)
            await ledger.settle()
            if len(rings(ledger)) >= count:
                return ledger


def rings(ledger: Ledger) -> Counter[str]:
    """How often each aggregate has rung."""
    return Counter(
        outcome.aggregate
        for outcomes in ledger.outcomes.values()
        for outcome in outcomes
        for event in outcome.body().events
        if event["type"] == "rang"
    )


async def known(bootstrap: str, source: TopicPartition, loading: bool) -> tuple[Known, int]:
    """What a timer knows of the partition by now, restored from its snapshot or read from the log's start; and where
    its reading began."""
    log = KafkaLog(bootstrap, SESSION_MS)
    parts, alarms = Parts(log), Alarms()
    progress = Progress(parts.clock)
    loader = SnapshotLoader(parts, [source.topic], progress)
    clockwork = Clockwork(
        parts, LetterSender(log, "unused", []), alarms, loader.take, lambda partition: tail.fold(partition)
    )
    tail = Tail(parts, clockwork, progress)
    await loader.start()
    await tail.start([source], "test")
    await tail.gain(source, await loader.load(source) if loading else None)
    began = tail.fold(source).position
    while tail.catching_up:
        await tail.step()
    shelf = alarms.shelf(source)
    assert shelf is not None
    result = {aggregate: shelf.stands(aggregate) for aggregate in shelf.names()}, shelf.outages
    await tail.stop()
    await loader.stop()
    await log.close()
    return result, began


async def delete_snapshots(bootstrap: str, sources: list[TopicPartition]) -> int:
    """Tombstones for all that the topic holds of these; how many."""
    log = KafkaLog(bootstrap, SESSION_MS)
    reader, writer = log.reader("delete"), log.writer("delete")
    partitions = [TopicPartition(TOPIC, source.partition) for source in sources]
    await reader.start(partitions)
    await writer.start()
    keys: set[tuple[int, bytes]] = set()
    for partition in partitions:
        reader.seek(partition, 0)
    while batches := await reader.poll(500):
        for partition, records in batches.items():
            own = tuple(prefix_of(source) for source in sources if source.partition == partition.partition)
            keys |= {(partition.partition, record.key) for record in records if (record.key or b"").startswith(own)}  # type: ignore[misc]
    for number, key in keys:
        await (await writer.append(NewRecord(TOPIC, number, key, None)))
    await writer.stop()
    await reader.stop()
    await log.close()
    return len(keys)


def sources_of(name: str) -> list[TopicPartition]:
    return [TopicPartition(f"{name}.events", number) for number in range(PARTITIONS)]


async def test_a_timer_that_is_killed_is_replaced_and_every_alarm_rings_once(
    kafka_bootstrap: str, name: str, home: Home
) -> None:
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        async with timer_process(kafka_bootstrap, name, home) as first:
            for number in range(10):
                await arm(sender, f"t{number}-", 10, 1 + number * 300)
            await rung(kafka_bootstrap, name, 10)
            first.send_signal(signal.SIGKILL)
            await first.exited()
        await arm(sender, "while-nobody-rings-", 20, 1)
        async with timer_process(kafka_bootstrap, name, home):
            ledger = await rung(kafka_bootstrap, name, 120)
    ledger.check()
    assert set(rings(ledger).values()) == {1}
    assert ledger.codes()["too-early"] == 0


async def test_two_timers_at_once_ring_every_alarm_once_and_leave_snapshots_that_are_whole(
    kafka_bootstrap: str, name: str, home: Home
) -> None:
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        await arm(sender, "patient-", 30, HOUR_MS)
        async with (
            timer_process(kafka_bootstrap, name, home, "one"),
            timer_process(kafka_bootstrap, name, home, "two"),
        ):
            for number in range(10):
                await arm(sender, f"t{number}-", 10, 1 + number * 100)
            ledger = await rung(kafka_bootstrap, name, 100)
    ledger.check()
    assert set(rings(ledger).values()) == {1}
    assert set(ledger.codes()) <= {"accepted", "duplicate", "not-current"}
    for source in sources_of(name):
        restored, began = await known(kafka_bootstrap, source, loading=True)
        whole, _ = await known(kafka_bootstrap, source, loading=False)
        assert began > 0
        assert restored == whole


async def test_without_any_snapshot_a_timer_knows_the_same_and_has_only_read_more(
    kafka_bootstrap: str, name: str, home: Home
) -> None:
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        async with timer_process(kafka_bootstrap, name, home):
            await arm(sender, "patient-", 40, HOUR_MS)
            await arm(sender, "rings-", 20, 1)
            await rung(kafka_bootstrap, name, 20)
        restored = [await known(kafka_bootstrap, source, loading=True) for source in sources_of(name)]
        assert all(began > 0 for _, began in restored), "it has written what it knew at its end"
        assert await delete_snapshots(kafka_bootstrap, sources_of(name)) >= 2 * PARTITIONS
        deleted = [await known(kafka_bootstrap, source, loading=True) for source in sources_of(name)]
        assert [began for _, began in deleted] == [0] * PARTITIONS
        assert [stands for (stands, _), _ in deleted] == [stands for (stands, _), _ in restored]
        assert sum(len(stands) for (stands, _), _ in restored) == 40
        await arm(sender, "later-", 10, 1)
        async with timer_process(kafka_bootstrap, name, home):
            ledger = await rung(kafka_bootstrap, name, 30)
    ledger.check()
    assert set(rings(ledger).values()) == {1}
