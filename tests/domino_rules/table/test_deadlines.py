import pytest

from domino_rules import Ruleset, table
from domino_rules.table import Finished, Pausing, Playing, Reservation, Waiting
from domino_rules.table.deadlines import turn_of_ref
from domino_rules.table.events import TableOpened
from domino_rules.table.state import Turn

SEATS = (Reservation("ann"), Reservation("bob"))
WAITING = table.evolve(None, TableOpened("t1", Ruleset.of("draw"), SEATS, "eu", 500, 10_500))
TURN = Turn(17, 1, "turn", 1_000, 21_000)


def test_a_waiting_table_starts_when_its_start_is_due() -> None:
    assert isinstance(WAITING, Waiting)
    assert table.deadline(WAITING) == ("start", "start", 500, 10_500)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (TURN, ("turn", "turn-17", 1_000, 21_000)),
        (Turn(17, 1, "turn", 3_000, 23_000, 2), ("turn", "turn-17-2", 3_000, 23_000)),
        (Turn(18, 2, "autopilot", 5, 2_005), ("autopilot", "autopilot-18", 5, 2_005)),
        (Turn(18, 2, "autopilot", 5, 2_005, 3), ("autopilot", "autopilot-18-3", 5, 2_005)),
        (Turn(5, 2, "clock", 1_000, 601_000), ("clock", "clock-5", 1_000, 601_000)),
        (None, None),
    ],
)
def test_a_turn_is_named_by_its_number_and_by_how_often_its_timer_was_set(
    turn: Turn | None, expected: tuple[str, str, int, int] | None
) -> None:
    assert table.deadline(Playing(WAITING.table, WAITING.match, turn)) == expected


def test_a_pause_is_named_by_the_round_that_ended() -> None:
    assert table.deadline(Pausing(WAITING.table, WAITING.match, TURN, 7, 8_007)) == ("pause", "pause-0", 7, 8_007)


def test_a_table_that_is_over_has_no_deadline() -> None:
    assert table.deadline(Finished(WAITING.table, WAITING.match, TURN)) is None


@pytest.mark.parametrize(
    ("ref", "turn"),
    [("turn-17", 17), ("autopilot-17-2", 17), ("clock-17", 17), ("pause-3", None), ("start", None), ("", None)],
)
def test_a_reference_tells_its_turn(ref: str, turn: int | None) -> None:
    assert turn_of_ref(ref) == turn
