"""`capicua admin skip` on logs that deciders really wrote: under one that runs, and where none can run any more."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import pytest
from aiokafka import TopicPartition as KafkaPartition
from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete
from bench.gameday.probes import one_of_each_partition
from tests.kafka.deciding import running
from tests.kafka.ledger import PARTITIONS, SESSION_MS, add, make_topics, sender_to

from bus.access import KafkaAccess
from bus.continuity import WrongLog
from bus.header import HEADER, Claim, unpack
from bus.held import held
from bus.kafka import KafkaLog, KafkaReader
from bus.outcomes import Outcome, PartitionFold
from bus.records import Record, TopicPartition
from bus.snapshots import SNAPSHOT_SECONDS
from bus.topics import COMPACTED

CAPICUA = str(Path(sys.executable).with_name("capicua"))
AGGREGATE = one_of_each_partition(PARTITIONS)[0]
SECONDS_MAX = 30


class GatedReader(KafkaReader):
    """Hands nothing over while `gate` is shut."""

    def __init__(self, bootstrap: str, name: str, gate: asyncio.Event) -> None:
        super().__init__(bootstrap, name, KafkaAccess())
        self._gate = gate

    async def poll(self, timeout_ms: int) -> Mapping[TopicPartition, Sequence[Record]]:
        batches = await super().poll(timeout_ms)
        await self._gate.wait()
        return batches


class GatedLog(KafkaLog):
    """Its owners see commands only while `gate` is open."""

    def __init__(self, bootstrap: str) -> None:
        super().__init__(bootstrap, SESSION_MS)
        self._address = bootstrap
        self.gate = asyncio.Event()
        self.gate.set()

    def reader(self, name: str) -> KafkaReader:
        return GatedReader(self._address, name, self.gate) if name.endswith("-commands") else super().reader(name)


async def send(bootstrap: str, name: str, first: int, end: int) -> None:
    async with sender_to(bootstrap, name) as sender:
        for number in range(first, end):
            await sender.send(add(f"c{number}", aggregate=AGGREGATE))


async def decided(log: KafkaLog, name: str, next_command: int) -> tuple[list[Outcome], int]:
    """The valid outcomes of partition 0 once `next_command` is the next one, and how many claims there were."""
    events = TopicPartition(f"{name}.events", 0)
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            fold = PartitionFold(events)
            records = [record async for record in held(log, events, "test")]
            outcomes = list(fold.all(records))
            if fold.validity.next_command == next_command:
                return outcomes, sum(isinstance(unpack(record.header(HEADER)), Claim) for record in records)


async def admin(bootstrap: str, *arguments: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        CAPICUA,
        "admin",
        *arguments,
        env={**os.environ, "KAFKA_BOOTSTRAP": bootstrap},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    output, trouble = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode(), trouble.decode()


async def expire_before(bootstrap: str, topic: str, offset: int) -> None:
    client = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await client.start()
    await client.delete_records({KafkaPartition(topic, 0): RecordsToDelete(before_offset=offset)})
    await client.close()


@pytest.fixture
async def log(kafka_bootstrap: str) -> AsyncIterator[GatedLog]:
    log = GatedLog(kafka_bootstrap)
    yield log
    await log.close()


def ids(outcomes: Sequence[Outcome]) -> list[str]:
    return [outcome.body().command_id for outcome in outcomes]


async def test_a_partition_goes_on_behind_the_commands_that_were_passed_over_under_its_owner(
    kafka_bootstrap: str, log: GatedLog
) -> None:
    name = "passed-under-owner"
    await make_topics(kafka_bootstrap, name, beside=COMPACTED)
    async with running(log, name, SNAPSHOT_SECONDS):
        await send(kafka_bootstrap, name, 0, 4)
        _, claims = await decided(log, name, 4)
        log.gate.clear()
        await send(kafka_bootstrap, name, 4, 9)
        status, said, _ = await admin(
            kafka_bootstrap, "skip", name, "0", "--to", "6", "--reason", "they never end", "--yes"
        )
        assert (status, said.splitlines()[-2]) == (0, "Passed over: 4 to 6. The next command is 7.")
        log.gate.set()
        outcomes, claims_then = await decided(log, name, 9)
    assert ids(outcomes) == ["c0", "c1", "c2", "c3", "c7", "c8"]
    assert outcomes[-1].header.to_version == 6
    assert claims_then == claims + 1
    assert (await admin(kafka_bootstrap, "audit", f"{name}.events", "--settled", "--snapshots"))[0] == 0


async def test_a_partition_whose_next_commands_have_expired_runs_again(kafka_bootstrap: str, log: GatedLog) -> None:
    name = "passed-expired"
    await make_topics(kafka_bootstrap, name, beside=COMPACTED)
    async with running(log, name, SNAPSHOT_SECONDS):
        await send(kafka_bootstrap, name, 0, 4)
        await decided(log, name, 4)
    await send(kafka_bootstrap, name, 4, 9)
    await expire_before(kafka_bootstrap, f"{name}.commands", 7)
    async with running(log, name, SNAPSHOT_SECONDS) as work:
        with pytest.raises(WrongLog, match="the next command is 4, expected it from 7 to 9"):
            async with asyncio.timeout(SECONDS_MAX):
                await work
    _, claims = await decided(log, name, 4)
    status, said, _ = await admin(kafka_bootstrap, "skip", name, "0", "--to", "6", "--reason", "expired", "--yes")
    assert status == 0
    assert "To pass over: 4 to 6, 3 in all, 3 expired, 0 there." in said
    async with running(log, name, SNAPSHOT_SECONDS):
        outcomes, claims_then = await decided(log, name, 9)
    assert ids(outcomes) == ["c0", "c1", "c2", "c3", "c7", "c8"]
    assert claims_then == claims + 1
    assert (await admin(kafka_bootstrap, "audit", f"{name}.events", "--settled", "--snapshots"))[0] == 0
