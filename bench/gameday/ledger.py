"""The table's whole log, read anew when all is over, and held against what was seen and promised meanwhile."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from bench.gameday.asking import Asking
from bus.kafka import KafkaLog
from bus.outcomes import PartitionFold
from bus.records import Record, TopicPartition
from capicua.server.demo.ledger import Ledger as Comparison
from capicua.server.demo.ledger import compare
from contracts.topics import PARTITIONS_LOCAL

LOOK_SECONDS = 0.1
SETTLE_SECONDS_MAX = 60.0


@dataclass
class Ledger:
    """`ignored` counts records of the event topic that count for nobody, by verdict; `wrong` is what must not be."""

    commands: int = 0
    outcomes: int = 0
    claims: int = 0
    repeated: int = 0
    ignored: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


async def settled(log: KafkaLog, asking: Asking) -> None:
    """Returns when every command in the topic has an outcome that was seen. Nobody may be sending any more."""
    partitions = [TopicPartition("table.commands", number) for number in range(PARTITIONS_LOCAL)]
    async with asyncio.timeout(SETTLE_SECONDS_MAX):
        while len(asking.watch.seen) < sum([(await log.bounds(partition))[1] for partition in partitions]):
            await asyncio.sleep(LOOK_SECONDS)


async def read_ledger(log: KafkaLog, asking: Asking) -> Ledger:
    """Raises nothing for what is wrong: that is the ledger's content."""
    ledger, comparison = Ledger(), Comparison("table")
    identities: set[tuple[str, str]] = set()
    for number in range(PARTITIONS_LOCAL):
        commands = [record async for record in read(log, TopicPartition("table.commands", number))]
        for command in commands:
            said = json.loads(command.value or b"{}")
            identities.add((said["principal"], said["id"]))
        answered = await _outcomes(log, number, ledger, asking)
        compare(comparison, number, commands, answered)
    ledger.commands, ledger.outcomes = comparison.commands, comparison.outcomes
    ledger.repeated = comparison.repeated
    ledger.wrong += comparison.wrong
    ledger.wrong += [f"acknowledged and lost: {who} {what}" for who, what in asking.durable - identities]
    return ledger


async def _outcomes(log: KafkaLog, number: int, ledger: Ledger, asking: Asking) -> dict[int, dict[str, object]]:
    source = TopicPartition("table.events", number)
    fold, answered, claim = PartitionFold(source), dict[int, dict[str, object]](), -1
    async for record in read(log, source):
        outcome = fold.take(record)
        if fold.validity.claim_offset != claim:
            claim = fold.validity.claim_offset
            ledger.claims += 1
        if outcome is None:
            continue
        answered[outcome.header.command_offset] = json.loads(outcome.value)
        seen = asking.watch.seen.get((number, outcome.header.command_offset))
        if seen != outcome.offset:
            ledger.wrong.append(f"{source}:{outcome.offset}: two readers disagree, the other has seen {seen}")
    for verdict, count in fold.ignored.items():
        ledger.ignored[verdict.value] += count
    return answered


async def read(log: KafkaLog, partition: TopicPartition) -> AsyncIterator[Record]:
    """The partition as it stands."""
    _, end = await log.bounds(partition)
    reader = log.reader("gameday-ledger")
    await reader.start([partition])
    reader.seek(partition, 0)
    try:
        position = 0
        while position < end:
            for record in (await reader.poll(100)).get(partition, ()):
                position = record.offset + 1
                if record.offset < end:
                    yield record
    finally:
        await reader.stop()
