import json

import pytest
from pydantic import ValidationError
from tests.memory_log import MemoryLog
from tests.writing_owner import WritingOwner

from bus.outcomes import Outcome, PartitionFold
from bus.records import NewRecord, Record, TopicPartition
from contracts.envelope import CommandEnvelope, Fault
from contracts.lifecycle import Source, TableWasExpired, TableWasOpened
from contracts.message import Message
from contracts.region import BotsLent, MatchMade, Pool, TicketQueued
from contracts.room import BotsMissing, BotsWanted, MatchStarted, PauseEnded, RoomReleased
from contracts.table import Reservation
from lobby.handlers import lifecycle_record, lobby_outcome

EVENTS = TopicPartition("lobby.events", 5)
LIVES = TopicPartition("table.lifecycle", 3)
POOL = Pool(preset="draw", seats=2, target=100)
SEATS = (Reservation(account="ann"), Reservation(account="bob"))


def outcomes(log: MemoryLog) -> list[Outcome]:
    return list(PartitionFold(EVENTS).all(log.records[EVENTS]))


def life(value: bytes) -> Record:
    return MemoryLog().put(NewRecord(*LIVES, b"t1", value))


def test_each_match_of_an_outcome_opens_its_table_under_an_id_that_says_where_it_comes_from() -> None:
    log = MemoryLog()
    queued = TicketQueued(account="bob", pool=POOL, bots="none", bot=False, queued_at=1)
    matches = [MatchMade(table_id=table_id, pool=POOL, seats=SEATS) for table_id in ("t1", "t2")]
    offset = WritingOwner(log, EVENTS).write("eu", *(event.model_dump() for event in (queued, *matches)))
    first, second = lobby_outcome(outcomes(log)[0])
    envelope = CommandEnvelope.model_validate_json(first.value or b"")
    assert (first.topic, first.key) == ("table.commands", "t1")
    assert (envelope.id, envelope.principal, envelope.aggregate) == (f"lobby.events:5:{offset}:0", "lobby", "t1")
    assert envelope.asked_by == "eu"
    assert envelope.command["type"] == "open-table"
    assert json.loads(second.value or b"")["id"] == f"lobby.events:5:{offset}:1"


@pytest.mark.parametrize(
    ("event", "topic", "key", "command"),
    [
        (BotsWanted(table_id="t1", region="eu", strengths=("expert",), due_at=9), "lobby", "eu", "lend-bots"),
        (BotsLent(room="room-abc234", table_id="t1", bots=SEATS[1:]), "lobby", "room-abc234", "bring-bots"),
        (BotsLent(room="room-abc234", table_id="t1", bots=()), "lobby", "room-abc234", "bring-bots"),
        (BotsMissing(table_id="t1", region="eu"), "lobby", "eu", "release-table"),
        (MatchStarted(table_id="t1", ruleset={"preset": "draw"}, seats=SEATS), "table", "t1", "open-table"),
        (PauseEnded(table_id="t1", round=2), "table", "t1", "end-table-pause"),
        (RoomReleased(table_id="t1", region="eu"), "lobby", "eu", "release-table"),
    ],
)
def test_what_a_room_or_a_region_asks_goes_to_whom_it_asks(event: Message, topic: str, key: str, command: str) -> None:
    log = MemoryLog()
    offset = WritingOwner(log, EVENTS).write("room-abc234", event.model_dump())
    [letter] = lobby_outcome(outcomes(log)[0])
    envelope = CommandEnvelope.model_validate_json(letter.value or b"")
    assert (letter.topic, letter.key, envelope.aggregate) == (f"{topic}.commands", key, key)
    assert (envelope.id, envelope.principal) == (f"lobby.events:5:{offset}:0", "lobby")
    assert envelope.command["type"] == command
    assert envelope.command.get("room", "room-abc234") == "room-abc234"


def test_a_room_whose_table_had_no_house_bots_asks_nothing_of_its_region() -> None:
    log = MemoryLog()
    WritingOwner(log, EVENTS).write("room-abc234", RoomReleased(table_id="t1").model_dump())
    assert lobby_outcome(outcomes(log)[0]) == []


def test_other_events_open_nothing() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, EVENTS)
    owner.write("eu", {"type": "ticket-withdrawn", "account": "ann"})
    owner.write("eu", {"type": "ticket-of-a-newer-version"})
    owner.write("eu")
    assert [lobby_outcome(outcome) for outcome in outcomes(log)] == [[], [], []]


def test_a_fault_is_a_dead_letter() -> None:
    log = MemoryLog()
    WritingOwner(log, EVENTS).write("eu", fault=Fault(code="bug", message="why"))
    [letter] = lobby_outcome(outcomes(log)[0])
    assert (letter.topic, letter.key) == ("lobby.dead", "eu")


def test_the_end_of_a_table_releases_it_in_its_region() -> None:
    source = Source(partition=3, offset=17)
    expired = TableWasExpired(table_id="t1", source=source, at=1, region="eu", seats=SEATS)
    [letter] = lifecycle_record(life(expired.model_dump_json().encode()))
    envelope = CommandEnvelope.model_validate_json(letter.value or b"")
    assert (letter.topic, letter.key) == ("lobby.commands", "eu")
    assert envelope.command == {"type": "release-table", "table_id": "t1"}
    assert (envelope.id, envelope.principal) == ("table.events:3:17:0", "lobby"), "however often the fact is written"


def test_the_end_of_a_rooms_table_is_told_to_the_room() -> None:
    source = Source(partition=3, offset=17)
    expired = TableWasExpired(table_id="t1", source=source, at=1, region="room-abc234", seats=SEATS)
    [letter] = lifecycle_record(life(expired.model_dump_json().encode()))
    envelope = CommandEnvelope.model_validate_json(letter.value or b"")
    assert (letter.topic, letter.key) == ("lobby.commands", "room-abc234")
    assert envelope.command == {"type": "room-table-ended", "table_id": "t1"}


def test_an_opened_table_and_news_of_a_later_version_release_nothing() -> None:
    source = Source(partition=3, offset=17)
    opened = TableWasOpened(table_id="t1", source=source, at=1, region="eu", ruleset={"preset": "draw"}, seats=SEATS)
    assert lifecycle_record(life(opened.model_dump_json().encode())) == []
    assert lifecycle_record(life(b'{"type": "table-was-paused"}')) == []
    assert lifecycle_record(life(b'{"type": ["table-was-paused"]}')) == []


@pytest.mark.parametrize(
    "value", [b"{", b"", b"\xff", b'{"type": "table-was-expired", "region": 6}', b"[]", b"[" * 50_000]
)
def test_a_record_that_cannot_be_read_is_an_error_and_nothing_worse(value: bytes) -> None:
    with pytest.raises(ValidationError):
        lifecycle_record(life(value))
