import pytest

from bus.continuity import WrongLog, check_last_command
from bus.records import Record, TopicPartition
from contracts.envelope import CommandEnvelope

COMMANDS = TopicPartition("tally.commands", 0)


def held(command_id: str) -> Record:
    envelope = CommandEnvelope(id=command_id, principal="tester", aggregate="a", command={})
    return Record(*COMMANDS, 3, 0, b"a", envelope.model_dump_json().encode(), ())


def test_another_command_than_the_log_has_decided_there_is_another_topic() -> None:
    with pytest.raises(WrongLog, match="got another one"):
        check_last_command(COMMANDS, held("c4"), "c3")


@pytest.mark.parametrize("decided", [None, ""], ids=["passed over", "a fault unread"])
def test_the_next_owner_goes_on_behind_a_command_whose_outcome_has_no_id(decided: str | None) -> None:
    check_last_command(COMMANDS, held("c3"), decided)
