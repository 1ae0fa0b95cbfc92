"""Reads a decider's two topics from their first record and holds them against each other."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from bus.held import held
from bus.kafka import KafkaLog
from bus.outcomes import PartitionFold
from bus.records import Record, TopicPartition
from contracts.topics import PARTITIONS_LOCAL


@dataclass(slots=True)
class Ledger:
    """`commands`: records in the command topic. `outcomes`: valid ones. `repeated`: commands that came again and were
    answered with the first answer. `void`: records that count for nobody. `wrong`: what must not be."""

    decider: str
    commands: int = 0
    outcomes: int = 0
    repeated: int = 0
    void: int = 0
    wrong: list[str] = field(default_factory=list)


async def read_ledger(log: KafkaLog, decider: str) -> Ledger:
    """The whole log as it stands; nobody may be writing commands."""
    ledger = Ledger(decider)
    for number in range(PARTITIONS_LOCAL):
        commands = [record async for record in held(log, TopicPartition(f"{decider}.commands", number), "ledger")]
        events = TopicPartition(f"{decider}.events", number)
        fold = PartitionFold(events)
        answered: dict[int, dict[str, object]] = {}
        async for record in held(log, events, "ledger"):
            for outcome in fold.all([record]):
                if outcome.header.command_offset in answered:
                    ledger.wrong.append(f"{events}: two valid outcomes for command {outcome.header.command_offset}")
                answered[outcome.header.command_offset] = json.loads(outcome.value)
        ledger.void += sum(fold.ignored.values())
        compare(ledger, number, commands, answered)
    return ledger


def compare(ledger: Ledger, number: int, commands: Sequence[Record], answered: dict[int, dict[str, object]]) -> None:
    """Exactly one valid outcome for each command, for that command, and one effect for each id.

    Adds partition `number` to the ledger; `answered` has the bodies of its valid outcomes by command offset.
    """
    ledger.commands += len(commands)
    ledger.outcomes += len(answered)
    first: dict[tuple[object, object], int] = {}
    for command in commands:
        outcome = answered.pop(command.offset, None)
        asked = json.loads(command.value or b"{}")
        identity = (asked["principal"], asked["id"])
        where = f"{ledger.decider}.commands-{number} at {command.offset}"
        if outcome is None:
            ledger.wrong.append(f"{where}: no valid outcome")
        elif (outcome["principal"], outcome["command_id"]) != identity:
            ledger.wrong.append(f"{where}: answered with the outcome of another command")
        elif outcome.get("duplicate_of") is None:
            if identity in first:
                ledger.wrong.append(f"{where}: a second effect of the command at {first[identity]}")
            first.setdefault(identity, command.offset)
        else:
            ledger.repeated += 1
            if outcome["duplicate_of"] != first.get(identity) or outcome.get("events"):
                ledger.wrong.append(f"{where}: a repeated command that was not answered with the first answer")
    ledger.wrong += [f"{ledger.decider}.events-{number}: an outcome for no command, {offset}" for offset in answered]
