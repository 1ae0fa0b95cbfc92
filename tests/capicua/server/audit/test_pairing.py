from dataclasses import replace

from tests.capicua.server.audit.scribe import ADDED, Scribe

from bus.records import TopicPartition
from capicua.server.audit import Known

COMMANDS = TopicPartition("tally.commands", 0)


def test_commands_that_come_after_their_outcomes_are_matched_as_well() -> None:
    log = Scribe().begin()
    for _ in range(3):
        log.outcome(events=[ADDED])
    log.events, log.commands = [*log.events, *log.commands], []
    assert log.causes(Known(settled=True)) == []


def test_a_command_that_waits_is_counted_and_told_when_it_should_not() -> None:
    log = Scribe().begin()
    log.outcome()
    log.command()
    log.command()
    assert log.report().clean
    assert log.report().waiting == 2
    assert log.causes(Known(answered={COMMANDS: 2})) == ["command-unanswered"]
    assert log.causes(Known(settled=True)) == ["command-unanswered"] * 2


def test_commands_that_expired_before_they_were_decided_are_told() -> None:
    log = Scribe().begin()
    log.outcome()
    assert log.causes(Known(commands={COMMANDS: (1, 1)})) == []
    assert log.causes(Known(commands={COMMANDS: (5, 9)})) == ["command-unanswered"]


def test_commands_that_have_expired_since_they_were_decided_are_not_missed() -> None:
    log = Scribe().begin()
    for _ in range(4):
        log.outcome(events=[ADDED])
    log.events, log.commands = [*log.events, *log.commands[3:]], []
    assert log.causes(Known(commands={COMMANDS: (3, 4)})) == []
    assert log.causes(Known(commands={COMMANDS: (2, 4)})) == ["command-unknown"]
    del log.events[-1]
    assert log.causes(Known(commands={COMMANDS: (4, 4)})) == []


def test_commands_that_come_after_they_were_passed_over_need_no_outcome() -> None:
    log = Scribe().begin()
    log.skip(0, 1)
    for offset in range(3):
        log.command(offset=offset)
    log.events, log.commands = [*log.events, *log.commands], []
    assert log.causes(Known(settled=True)) == ["command-unanswered"]


def test_an_outcome_of_no_command_is_told() -> None:
    log = Scribe().begin()
    log.outcome()
    log.outcome(command=False)
    assert log.causes() == ["command-unknown"]


def test_a_command_topic_that_was_made_again_is_told() -> None:
    log = Scribe().begin()
    log.outcome(command=False)
    assert log.causes() == []
    assert log.causes(Known(commands={COMMANDS: (0, 0)})) == ["command-unknown"]


def test_a_hole_in_the_command_topic_is_told() -> None:
    log = Scribe().begin()
    for _ in range(3):
        log.outcome()
    del log.commands[1]
    assert log.causes()[0] == "command-gap"


def test_the_outcome_of_another_command_is_told() -> None:
    log = Scribe().begin()
    log.outcome()
    log.commands[0] = replace(log.commands[0], value=b'{"id": "other", "principal": "ann"}')
    assert log.causes() == ["command-mismatch"]


def test_the_outcome_for_another_aggregate_is_told() -> None:
    log = Scribe().begin()
    log.outcome()
    log.commands[0] = replace(log.commands[0], key=b"b")
    assert log.causes() == ["command-mismatch"]


def test_a_command_that_nobody_can_read_is_answered_to_nobody() -> None:
    log = Scribe().begin()
    log.outcome(command_id="", principal="", fault={"code": "undecodable", "message": ""})
    log.commands[0] = replace(log.commands[0], value=b"\xff")
    assert log.causes() == []


def test_of_an_oversized_key_the_beginning_is_enough() -> None:
    log = Scribe().begin()
    long = "ä" * 1000
    log.outcome(long.encode()[:513].decode(errors="replace"), fault={"code": "undecodable", "message": ""})
    log.commands[0] = replace(log.commands[0], key=long.encode())
    assert log.causes() == []


def test_an_outcome_with_another_time_than_its_commands_is_told() -> None:
    log = Scribe().begin()
    log.outcome(at=log.now + 1)
    assert log.causes() == ["wrong-time"]
