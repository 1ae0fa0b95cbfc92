import json
from typing import Any

from bus.records import Record
from capicua.server.demo.ledger import Ledger, compare


def command(offset: int, command_id: str, principal: str = "g1") -> Record:
    value = json.dumps({"principal": principal, "id": command_id}).encode()
    return Record("table.commands", 0, offset, 0, b"t", value, ())


def outcome(command_id: str, principal: str = "g1", **fields: Any) -> dict[str, Any]:
    return {"principal": principal, "command_id": command_id, "duplicate_of": None, "events": [1]} | fields


def compared(commands: list[Record], answered: dict[int, dict[str, object]]) -> Ledger:
    ledger = Ledger("table")
    compare(ledger, 0, commands, answered)
    return ledger


def test_one_outcome_for_each_command_is_right_repeated_ones_included() -> None:
    commands = [command(0, "a"), command(1, "a"), command(2, "a", "g2")]
    again = outcome("a", duplicate_of=0, events=[])
    ledger = compared(commands, {0: outcome("a"), 1: again, 2: outcome("a", "g2")})
    assert (ledger.commands, ledger.outcomes, ledger.repeated, ledger.wrong) == (3, 3, 1, [])


def test_a_command_without_an_outcome_is_found() -> None:
    assert compared([command(0, "a"), command(1, "b")], {0: outcome("a")}).wrong == [
        "table.commands-0 at 1: no valid outcome"
    ]


def test_an_outcome_of_another_command_is_found() -> None:
    wrong = compared([command(0, "a")], {0: outcome("b")}).wrong
    assert wrong == ["table.commands-0 at 0: answered with the outcome of another command"]


def test_a_second_effect_of_one_id_is_found() -> None:
    wrong = compared([command(0, "a"), command(1, "a")], {0: outcome("a"), 1: outcome("a")}).wrong
    assert wrong == ["table.commands-0 at 1: a second effect of the command at 0"]


def test_a_repeated_command_with_an_effect_or_another_answer_is_found() -> None:
    for again in (outcome("a", duplicate_of=0), outcome("a", duplicate_of=7, events=[])):
        wrong = compared([command(0, "a"), command(1, "a")], {0: outcome("a"), 1: again}).wrong
        assert wrong == ["table.commands-0 at 1: a repeated command that was not answered with the first answer"]


def test_an_outcome_for_no_command_is_found() -> None:
    assert compared([], {4: outcome("a")}).wrong == ["table.events-0: an outcome for no command, 4"]
