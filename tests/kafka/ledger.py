"""What a log holds in the end, read raw: the judge of the runtime's tests."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError

from bus.kafka import KafkaLog
from bus.outcomes import Outcome, PartitionFold
from bus.records import NewRecord, Record, TopicPartition
from bus.sender import CommandSender, LetterSender
from contracts.envelope import CommandEnvelope

PARTITIONS = 2
SESSION_MS = 2000
Sender = TypeVar("Sender", CommandSender, LetterSender)


@dataclass
class Ledger:
    """Every command and every valid outcome of a decider named `name`, by partition."""

    bootstrap: str
    name: str
    partitions: int = PARTITIONS
    commands: dict[int, list[Record]] = field(default_factory=dict)
    outcomes: dict[int, list[Outcome]] = field(default_factory=dict)
    folds: dict[int, PartitionFold] = field(default_factory=dict)

    async def settle(self, seconds: float = 60) -> None:
        """Reads until every command in the log has a valid outcome."""
        log = KafkaLog(self.bootstrap, SESSION_MS)
        reader = log.reader("ledger")
        await reader.start(
            TopicPartition(f"{self.name}.{kind}", number)
            for kind in ("commands", "events")
            for number in range(self.partitions)
        )
        for number in range(self.partitions):
            self.commands[number], self.outcomes[number] = [], []
            self.folds[number] = PartitionFold(TopicPartition(f"{self.name}.events", number))
            reader.seek(TopicPartition(f"{self.name}.commands", number), 0)
            reader.seek(TopicPartition(f"{self.name}.events", number), 0)
        try:
            async with asyncio.timeout(seconds):
                ends = {
                    number: (await log.bounds(TopicPartition(f"{self.name}.commands", number)))[1]
                    for number in range(self.partitions)
                }
                while any(len(self.outcomes[n]) < ends[n] or len(self.commands[n]) < ends[n] for n in ends):
                    for where, records in (await reader.poll(100)).items():
                        self._take(where, records)  # type: ignore[arg-type]
        finally:
            await reader.stop()
            await log.close()

    def _take(self, where: TopicPartition, records: list[Record]) -> None:
        if where.topic.endswith(".commands"):
            self.commands[where.partition] += records
        else:
            self.outcomes[where.partition] += self.folds[where.partition].all(records)

    def check(self) -> None:
        """Exactly one valid outcome per command, in order, and versions without gaps."""
        for number in range(self.partitions):
            offsets = [outcome.header.command_offset for outcome in self.outcomes[number]]
            assert offsets == list(range(len(self.commands[number])))
            versions: Counter[str] = Counter()
            for outcome in self.outcomes[number]:
                assert outcome.header.from_version == versions[outcome.aggregate]
                versions[outcome.aggregate] = outcome.header.to_version

    @property
    def ignored(self) -> int:
        return sum(sum(fold.ignored.values()) for fold in self.folds.values())

    def total(self) -> int:
        """The sum of all numbers that valid outcomes added."""
        return sum(
            event.get("number", 0)
            for outcomes in self.outcomes.values()
            for outcome in outcomes
            for event in outcome.body().events
        )

    def codes(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for outcomes in self.outcomes.values():
            for outcome in outcomes:
                body = outcome.body()
                trouble = body.fault or body.refusal
                counts["duplicate" if body.duplicate_of is not None else trouble.code if trouble else "accepted"] += 1
        return counts


async def make_topics(
    bootstrap: str,
    name: str,
    command_time: str = "LogAppendTime",
    beside: Mapping[str, str] | None = None,
    partitions: int = PARTITIONS,
) -> None:
    """A decider's topics; with `beside` those of its snapshots and markers too, which have that configuration."""
    kept = {"retention.ms": "-1"}
    configs = {
        "commands": kept | {"message.timestamp.type": command_time},
        "events": kept | {"message.timestamp.type": "LogAppendTime"},
    }
    if beside is not None:
        configs |= {"snapshots": dict(beside), "markers": dict(beside)}
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    await admin.create_topics(
        [NewTopic(f"{name}.{kind}", partitions, 1, topic_configs=config) for kind, config in configs.items()]
    )
    await admin.close()


async def recreate(bootstrap: str, topic: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    await admin.delete_topics([topic])
    config = {"message.timestamp.type": "LogAppendTime"}
    async with asyncio.timeout(30):
        while True:
            answer = await admin.create_topics([NewTopic(topic, PARTITIONS, 1, topic_configs=config)])
            if all(code != TopicAlreadyExistsError.errno for _, code, *_ in answer.topic_errors):
                break
    await admin.close()


def add(command_id: str, number: int = 1, aggregate: str = "a", principal: str = "tester") -> CommandEnvelope:
    command = {"type": "add", "number": number}
    return CommandEnvelope(id=command_id, principal=principal, aggregate=aggregate, command=command)


def sender_to(bootstrap: str, name: str) -> AbstractAsyncContextManager[CommandSender]:
    return sending(bootstrap, lambda log: CommandSender(log, name))


@asynccontextmanager
async def sending(bootstrap: str, sender_on: Callable[[KafkaLog], Sender]) -> AsyncIterator[Sender]:
    """A sender that is started, and stopped in the end."""
    log = KafkaLog(bootstrap, SESSION_MS)
    sender = sender_on(log)
    await sender.start()
    try:
        yield sender
    finally:
        await sender.stop()
        await log.close()


async def send_many(sender: CommandSender, prefix: str, count: int, first: int = 0) -> None:
    numbers = range(first, first + count)
    await asyncio.gather(*(sender.send(add(f"{prefix}{n}", aggregate=f"a{n % 7}")) for n in numbers))


async def send_raw(bootstrap: str, record: NewRecord) -> None:
    writer = KafkaLog(bootstrap, SESSION_MS).writer("raw")
    await writer.start()
    await (await writer.append(record))
    await writer.stop()


@asynccontextmanager
async def tally_process(
    bootstrap: str, name: str, folder: Path, snapshot_seconds: float | None = None
) -> AsyncIterator["subprocess.Popen[bytes]"]:
    """A real process that decides for `name`, without snapshots or with one every `snapshot_seconds`; killed at the end
    whatever happened."""
    environment: Mapping[str, str] = {
        **os.environ,
        "KAFKA_BOOTSTRAP": bootstrap,
        "CAPICUA_SESSION_MS": str(SESSION_MS),
        "TALLY_NAME": name,
        "TALLY_SNAPSHOT_SECONDS": "" if snapshot_seconds is None else str(snapshot_seconds),
    }
    process = start_process(environment, folder / f"{name}.log")
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def start_process(environment: Mapping[str, str], output: Path) -> "subprocess.Popen[bytes]":
    with output.open("ab") as lines:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.kafka.tally_process"], env=environment, stderr=lines, stdout=lines
        )
