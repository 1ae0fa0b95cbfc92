import pytest
from tests.memory_log import MemoryLog
from tests.writing_owner import WritingOwner

from bus.dead_letters import dead_letter, unreadable
from bus.outcomes import MalformedBody, Outcome, PartitionFold
from bus.records import Record, TopicPartition
from contracts.envelope import DeadLetter, Fault, Refusal

SOURCE = TopicPartition("table.events", 2)


def outcomes(log: MemoryLog) -> list[Outcome]:
    return list(PartitionFold(SOURCE).all(log.records[SOURCE]))


def test_a_fault_is_a_dead_letter_that_names_the_command() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", {"type": "something"})
    owner.write("t1", fault=Fault(code="undecodable", message="why"), command_id="c-9", principal="bob")
    letter = dead_letter("table", outcomes(log)[1])
    assert letter is not None
    assert (letter.topic, letter.key) == ("table.dead", "t1")
    assert DeadLetter.model_validate_json(letter.value or b"") == DeadLetter(
        topic="table.commands",
        partition=2,
        offset=1,
        code="undecodable",
        message="why",
        command_id="c-9",
        principal="bob",
    )


def test_events_and_refusals_are_no_dead_letters() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", {"type": "something"})
    owner.write("t1", refusal=Refusal(code="stale-turn", message="why"))
    assert [dead_letter("table", outcome) for outcome in outcomes(log)] == [None, None]


def test_a_body_that_cannot_be_read_is_said_to_be_so() -> None:
    log = MemoryLog()
    WritingOwner(log, SOURCE).write("t1", fault=Fault(code="bug", message="why"))
    [outcome] = outcomes(log)
    garbled = Outcome(SOURCE, outcome.offset, "t1", outcome.header, b"{", 0)
    with pytest.raises(MalformedBody):
        dead_letter("table", garbled)


def test_a_record_that_a_consumer_cannot_read_is_its_dead_letter() -> None:
    record = Record("table.lifecycle", 1, 7, 0, b"t1", b"the content", ())
    letter = unreadable("lobby", record)
    assert (letter.topic, letter.key) == ("lobby.dead", "t1")
    dead = DeadLetter.model_validate_json(letter.value or b"")
    assert (dead.topic, dead.partition, dead.offset, dead.code) == ("table.lifecycle", 1, 7, "undecodable")
    assert b"the content" not in (letter.value or b"")
