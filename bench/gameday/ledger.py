"""The table's whole log, read anew when all is over, and held against what was seen and promised meanwhile."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field

from bench.gameday.asking import Asking
from bus.held import held
from bus.kafka import KafkaLog
from bus.outcomes import PartitionFold
from bus.records import TopicPartition
from capicua.server.audit import Known, LogSource, audit
from contracts.topics import PARTITIONS_LOCAL

READER = "gameday-ledger"
LOOK_SECONDS = 0.1
SETTLE_SECONDS_MAX = 60.0


@dataclass
class Ledger:
    """`ignored` counts records of the event topic that count for nobody, by verdict, and `void` the same by the causes
    of the independent audit; `wrong` is what must not be."""

    commands: int = 0
    outcomes: int = 0
    claims: int = 0
    repeated: int = 0
    ignored: Counter[str] = field(default_factory=Counter)
    void: Counter[str] = field(default_factory=Counter)
    timeouts: int = 0
    outages: int = 0
    wrong: list[str] = field(default_factory=list)


async def settled(log: KafkaLog, asking: Asking) -> None:
    """Returns when every command in the topic has an outcome that was seen. Nobody may be sending any more."""
    partitions = [TopicPartition("table.commands", number) for number in range(PARTITIONS_LOCAL)]
    async with asyncio.timeout(SETTLE_SECONDS_MAX):
        while len(asking.watch.seen) < sum([(await log.bounds(partition))[1] for partition in partitions]):
            await asyncio.sleep(LOOK_SECONDS)


async def read_ledger(log: KafkaLog, asking: Asking) -> Ledger:
    """Raises nothing for what is wrong: that is the ledger's content."""
    ledger = Ledger()
    missing = set(asking.durable)
    for number in range(PARTITIONS_LOCAL):
        async for command in held(log, TopicPartition("table.commands", number), READER):
            said = json.loads(command.value or b"{}")
            missing.discard((said["principal"], said["id"]))
            ledger.commands += 1
        await _read_outcomes(log, number, ledger, asking)
    ledger.wrong += [f"acknowledged and lost: {who} {what}" for who, what in missing]
    await _audit(log, ledger)
    return ledger


async def _audit(log: KafkaLog, ledger: Ledger) -> None:
    """What `capicua admin audit` says, whose idea of validity is its own."""
    source = LogSource(log, ["table"])
    report = await audit(source.records(), await source.survey(Known(settled=True)))
    ledger.void += Counter({why.value: count for why, count in report.void.items()})
    ledger.timeouts, ledger.outages = report.timeouts, report.outages
    ledger.wrong += [f"audit: {violation}" for violation in report.violations]
    if report.valid != ledger.outcomes:
        ledger.wrong.append(f"audit: {report.valid} valid outcomes, the bus counts {ledger.outcomes}")


async def _read_outcomes(log: KafkaLog, number: int, ledger: Ledger, asking: Asking) -> None:
    """By the bus's own fold, which must give what another reader of it has seen while all this went on."""
    source = TopicPartition("table.events", number)
    fold, claim = PartitionFold(source), -1
    async for record in held(log, source, READER):
        outcome = fold.take(record)
        if fold.validity.claim_offset != claim:
            claim = fold.validity.claim_offset
            ledger.claims += 1
        if outcome is None:
            continue
        ledger.outcomes += 1
        ledger.repeated += b'"duplicate_of":' in outcome.value
        seen = asking.watch.seen.get((number, outcome.header.command_offset))
        if seen != outcome.offset:
            ledger.wrong.append(f"{source}:{outcome.offset}: two readers disagree, the other has seen {seen}")
    for verdict, count in fold.ignored.items():
        ledger.ignored[verdict.value] += count
