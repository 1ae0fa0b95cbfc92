"""Snapshots on a real broker: written beside the work, compacted, and enough for the next owner."""

import asyncio
import logging
from functools import partial

import pytest
from tests.kafka.deciding import running
from tests.kafka.ledger import PARTITIONS, SESSION_MS, Ledger, make_topics, send_many, sender_to

from bus.kafka import KafkaLog
from bus.parts import Parts
from bus.records import TopicPartition
from bus.snapshots.loading import newest_marker
from bus.topics import COMPACTED

SNAPSHOT_SECONDS = 0.2
WAIT_SECONDS = 90
AT_ONCE = {"segment.ms": "500", "delete.retention.ms": "0", "min.cleanable.dirty.ratio": "0.01"}
"""Compaction comes as soon as the cleaner looks, and takes tombstones too."""
deciding = partial(running, snapshot_seconds=SNAPSHOT_SECONDS)


@pytest.fixture
async def name(kafka_bootstrap: str, request: pytest.FixtureRequest) -> str:
    name = "snapshots-" + str(abs(hash(request.node.name)) % 10**8)
    await make_topics(kafka_bootstrap, name, beside=COMPACTED | AT_ONCE)
    return name


async def until_marked(log: KafkaLog, name: str) -> None:
    """Both partitions' newest markers know the whole log of now but heartbeats."""
    parts = Parts(log)
    for number in range(PARTITIONS):
        _, end = await log.bounds(TopicPartition(f"{name}.events", number))
        async with asyncio.timeout(WAIT_SECONDS):
            while (marker := await newest_marker(parts, name, number)) is None or marker.position < end:  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.05)


async def held(log: KafkaLog, name: str) -> int:
    """How many records the snapshot topic still holds."""
    reader = log.reader("count")
    partitions = [TopicPartition(f"{name}.snapshots", number) for number in range(PARTITIONS)]
    await reader.start(partitions)
    for partition in partitions:
        reader.seek(partition, (await log.bounds(partition))[0])
    count = 0
    while batches := await reader.poll(500):
        count += sum(map(len, batches.values()))
    await reader.stop()
    return count


async def test_owners_start_from_compacted_snapshots_and_nothing_is_lost_or_doubled(
    kafka_bootstrap: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    log = KafkaLog(kafka_bootstrap, SESSION_MS)
    async with (
        deciding(KafkaLog(kafka_bootstrap, SESSION_MS), name),
        sender_to(kafka_bootstrap, name) as sender,
    ):
        for number in range(8):
            await send_many(sender, f"first{number}-", 50)
            await until_marked(log, name)
        written = sum([(await log.bounds(TopicPartition(f"{name}.snapshots", n)))[1] for n in range(PARTITIONS)])
    async with asyncio.timeout(WAIT_SECONDS):
        while await held(log, name) >= written:  # noqa: ASYNC110 - the cleaner tells nobody
            await asyncio.sleep(0.05)
    with caplog.at_level(logging.INFO, "bus.restoring"):
        async with (
            deciding(KafkaLog(kafka_bootstrap, SESSION_MS), name),
            sender_to(kafka_bootstrap, name) as sender,
        ):
            await send_many(sender, "second", 50)
            await send_many(sender, "first7-", 50)
            ledger = Ledger(kafka_bootstrap, name)
            await ledger.settle()
    await log.close()
    ledger.check()
    assert ledger.total() == 8 * 50 + 50
    assert ledger.codes() == {"accepted": 450, "duplicate": 50}
    restored = [record for record in caplog.records if "aggregates after" in record.message]
    assert len(restored) == PARTITIONS, "each partition from its snapshot"
