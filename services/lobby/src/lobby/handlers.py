"""From records to what follows from them: each function reads one kind of record and asks the policies."""

from typing import Annotated, Any, assert_never

from pydantic import Field, TypeAdapter

from bus.dead_letters import dead_letter
from bus.outcomes import Outcome
from bus.policies import letter_id
from bus.records import Record
from bus.sender import Letter, command_letter
from contracts.envelope import CommandEnvelope, Payload
from contracts.lifecycle import LifecycleMessage
from contracts.message import Message, tags
from contracts.region import BotsLent, MatchMade
from contracts.room import BotsMissing, BotsWanted, MatchStarted, PauseEnded, RoomReleased
from lobby.policies import (
    on_bots_lent,
    on_bots_missing,
    on_bots_wanted,
    on_lifecycle,
    on_match_made,
    on_match_started,
    on_pause_ended,
    on_room_released,
)

AskingEvents = MatchMade | BotsLent | BotsWanted | BotsMissing | MatchStarted | PauseEnded | RoomReleased
AskingEvent = Annotated[AskingEvents, Field(discriminator="type")]

_payload: TypeAdapter[dict[str, Any]] = TypeAdapter(Payload)
_asking: TypeAdapter[AskingEvent] = TypeAdapter(AskingEvent)
_asking_tags = tags(AskingEvent)
_lifecycle: TypeAdapter[LifecycleMessage] = TypeAdapter(LifecycleMessage)
_lifecycle_tags = tags(LifecycleMessage)


def lobby_outcome(outcome: Outcome) -> list[Letter]:
    """What each event asks of tables, regions and rooms; a fault is a dead letter."""
    dead = dead_letter("lobby", outcome)
    if dead is not None:
        return [dead]
    if not outcome.changes:
        return []
    letters: list[Letter] = []
    for payload in outcome.body().events:
        if payload.get("type") not in _asking_tags:
            continue
        asked = _asked(_asking.validate_python(payload), outcome.aggregate)
        if asked is None:
            continue
        decider, aggregate, command = asked
        source = outcome.source
        envelope = CommandEnvelope(
            id=letter_id(source.topic, source.partition, outcome.offset, len(letters)),
            principal="lobby",
            aggregate=aggregate,
            command=command.model_dump(),
            asked_by=outcome.aggregate,
        )
        letters.append(command_letter(decider, envelope, outcome.header.trace))
    return letters


def _asked(event: AskingEvent, aggregate: str) -> tuple[str, str, Message] | None:
    """The decider and its aggregate of whom the event asks something, and what; `aggregate` is the event's own."""
    match event:
        case MatchMade():
            return "table", event.table_id, on_match_made(event, aggregate)
        case MatchStarted():
            return "table", event.table_id, on_match_started(event, aggregate)
        case PauseEnded():
            return "table", event.table_id, on_pause_ended(event)
        case BotsWanted():
            return "lobby", event.region, on_bots_wanted(event, aggregate)
        case BotsLent():
            return "lobby", event.room, on_bots_lent(event)
        case BotsMissing():
            return "lobby", event.region, on_bots_missing(event)
        case RoomReleased():
            return ("lobby", event.region, on_room_released(event)) if event.region is not None else None
        case _:
            assert_never(event)


def lifecycle_record(record: Record) -> list[Letter]:
    """The end of a table, or that it was never opened, releases its people in their region, or its private room; a
    message of a kind not known yet is passed over. One that comes twice (it is written at least once) makes the same
    command: its id is that of the fact's own source.

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
