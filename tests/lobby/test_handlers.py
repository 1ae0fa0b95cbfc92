import json

import pytest
from pydantic import ValidationError
from tests.memory_log import MemoryLog
from tests.writing_owner import WritingOwner

from bus.outcomes import Outcome, PartitionFold
from bus.records import NewRecord, Record, TopicPartition
from contracts.envelope import CommandEnvelope, Fault
from contracts.lifecycle import Source, TableWasExpired, TableWasOpened
from contracts.region import MatchMade, Pool, TicketQueued
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
    envelope = CommandEnvelope.model_validate_json(first.value)
    assert (first.topic, first.key) == ("table.commands", "t1")
    assert (envelope.id, envelope.principal, envelope.aggregate) == (f"lobby.events:5:{offset}:0", "lobby", "t1")
    assert envelope.command["type"] == "open-table"
    assert json.loads(second.value)["id"] == f"lobby.events:5:{offset}:1"


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
    envelope = CommandEnvelope.model_validate_json(letter.value)
    assert (letter.topic, letter.key) == ("lobby.commands", "eu")
    assert envelope.command == {"type": "release-table", "table_id": "t1"}
    assert (envelope.id, envelope.principal) == ("table.events:3:17:0", "lobby"), "however often the fact is written"


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
