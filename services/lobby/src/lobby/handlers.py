"""From records to what follows from them: each function reads one kind of record and asks the policies."""

from typing import Any

from pydantic import TypeAdapter

from bus.dead_letters import dead_letter
from bus.outcomes import Outcome
from bus.policies import letter_id
from bus.records import Record
from bus.sender import Letter, command_letter
from contracts.envelope import CommandEnvelope, Payload
from contracts.lifecycle import LifecycleMessage
from contracts.message import tags
from contracts.region import MatchMade
from lobby.policies import on_lifecycle, on_match_made

_payload: TypeAdapter[dict[str, Any]] = TypeAdapter(Payload)
_lifecycle: TypeAdapter[LifecycleMessage] = TypeAdapter(LifecycleMessage)
_lifecycle_tags = tags(LifecycleMessage)


def lobby_outcome(outcome: Outcome) -> list[Letter]:
    """A match opens its table; a fault is a dead letter."""
    dead = dead_letter("lobby", outcome)
    if dead is not None:
        return [dead]
    if not outcome.changes:
        return []
    letters: list[Letter] = []
    for payload in outcome.body().events:
        if payload.get("type") != "match-made":
            continue
        event = MatchMade.model_validate(payload)
        source = outcome.source
        envelope = CommandEnvelope(
            id=letter_id(source.topic, source.partition, outcome.offset, len(letters)),
            principal="lobby",
            aggregate=event.table_id,
            command=on_match_made(event, outcome.aggregate).model_dump(),
        )
        letters.append(command_letter("table", envelope, outcome.header.trace))
    return letters


def lifecycle_record(record: Record) -> list[Letter]:
    """The end of a table releases its people in their region; a message of a kind not known yet is passed over. One
    that comes twice (it is written at least once) makes the same command: its id is that of the fact's own source.

    Raises ValueError for a record that is no such message.
    """
    payload = _payload.validate_json(record.value or b"")
    if payload.get("type") not in _lifecycle_tags:
        return []
    message = _lifecycle.validate_python(payload)
    command = on_lifecycle(message)
    if command is None:
        return []
    envelope = CommandEnvelope(
        id=letter_id("table.events", message.source.partition, message.source.offset, 0),
        principal="lobby",
        aggregate=message.region,
        command=command.model_dump(),
    )
    return [command_letter("lobby", envelope)]
