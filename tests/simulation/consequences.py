"""What must follow elsewhere from the outcomes of a log: tables of matches, facts, releases, dead letters."""

import json
from collections.abc import Iterator
from typing import Any

from tests.simulation.broker import Broker
from tests.simulation.told import Told
from tests.simulation.truth import Ledger, Truth

from bus.records import TopicPartition
from domino_rules.table import Expired, Finished
from lobby.region.state import Lobby
from lobby.room.state import Closed, Playing, RoomState, Starting

FACTS = {"table-opened", "match-ended", "table-expired"}
UNDERTAKEN = ("table", "lobby")
"""Deciders whose faults somebody projects to a dead-letter topic."""


def unsaid(broker: Broker, truth: Truth) -> str | None:
    """The first consequence that has not come about, or None."""
    facts = {(source["partition"], source["offset"]) for source in _sources(broker)}
    dead = {(body["topic"], body["partition"], body["offset"]) for body in _dead(broker)}
    for ledger in truth.ledgers.values():
        for told in ledger.outcomes:
            missing = _of_outcome(truth, ledger, told, facts, dead)
            if missing is not None:
                return missing
    return _unreleased(truth)


def _of_outcome(
    truth: Truth, ledger: Ledger, told: Told, facts: set[tuple[int, int]], dead: set[tuple[str, int, int]]
) -> str | None:
    where = f"{told.partition.topic}:{told.partition.partition}:{told.offset}"
    types = {event["type"] for event in told.body.get("events", ())}
    if ledger.decider.name == "table" and types & FACTS and (told.partition.partition, told.offset) not in facts:
        return f"the fact of {where} is missing"
    first_fault = told.body.get("fault") and told.body.get("duplicate_of") is None
    buried = (*ledger.commands, told.header.command_offset) in dead
    if first_fault and ledger.decider.name in UNDERTAKEN and not buried:
        return f"the dead letter of {where} is missing"
    for event in told.body.get("events", ()):
        if event["type"] in ("match-made", "match-started"):
            table_id = event["table_id"]
            if not truth.of("table", table_id).known(table_id).states and not _came_too_late(truth, table_id):
                return f"the table {table_id} of {where} is missing"
    return None


def _came_too_late(truth: Truth, table_id: str) -> bool:
    """Whether its opening was refused: the command had waited for longer than commands are kept."""
    outcomes = truth.of("table", table_id).outcomes
    return any(told.code == "stale-id" and told.body["aggregate"] == table_id for told in outcomes)


def _unreleased(truth: Truth) -> str | None:
    """A table that is over, or that was refused, frees its people, and its house bots, in its region or its private
    room."""
    lobbies = [ledger for ledger in truth.ledgers.values() if ledger.decider.name == "lobby"]
    aggregates = {key: known.state for ledger in lobbies for key, known in ledger.aggregates.items()}
    wanted = {table_id for state in aggregates.values() for table_id in _of_room(state)}
    for key, state in aggregates.items():
        for table_id in state.tables if isinstance(state, Lobby) else _of_room(state):
            tables = truth.of("table", table_id)
            table = tables.aggregates.get(table_id)
            over = table is not None and isinstance(table.state, Finished | Expired)
            unwanted = not tables.known(table_id).states and table_id not in wanted
            if over or table_id in tables.retired or unwanted or _came_too_late(truth, table_id):
                return f"the release of table {table_id} in {key} is missing"
    return None


def _of_room(state: Lobby | RoomState) -> tuple[str, ...]:
    """The table that a private room waits for: its bots or its end."""
    match state:
        case Starting() | Playing():
            return (state.table_id,)
        case Closed(table_id=str(table_id)):
            return (table_id,)
        case _:
            return ()


def _sources(broker: Broker) -> Iterator[dict[str, Any]]:
    return (body["source"] for body in _bodies(broker, "table.lifecycle"))


def _dead(broker: Broker) -> Iterator[dict[str, Any]]:
    for topic in sorted(broker.topics):
        if topic.endswith(".dead"):
            yield from _bodies(broker, topic)


def _bodies(broker: Broker, topic: str) -> Iterator[dict[str, Any]]:
    for number in range(broker.topics[topic]):
        for record in broker.partitions[TopicPartition(topic, number)].records:
            if record is not None:
                yield json.loads(record.value or b"")
