import pytest

from domino_rules import MatchEnded, Ruleset
from domino_rules.table import absent_seats
from domino_rules.table.state import Player, Table

SEATS = ("ann", "bob", "cem", "dot")


def table(*absences: str) -> Table:
    """A table with a seat for each of these: `left`, `autopilot`, or nothing for who is there."""
    players = [
        Player(account, bot=False, seated=True, left=how == "left", autopilot=how == "autopilot")
        for account, how in zip(SEATS, absences, strict=False)
    ]
    return Table("t1", Ruleset.of("draw", seats=len(players)), "eu", 0, tuple(players))


@pytest.mark.parametrize(
    ("absences", "absent"),
    [(("", ""), ()), (("left", ""), (1,)), (("", "autopilot", "left"), (2, 3)), (("", "", "autopilot", ""), (3,))],
)
def test_who_left_or_is_on_autopilot_at_the_end_is_absent_whoever_won(
    absences: tuple[str, ...], absent: tuple[int, ...]
) -> None:
    ended = MatchEnded("target", (1,), (50,) * len(absences))
    assert absent_seats(table(*absences), ended) == absent


def test_who_resigns_is_absent_and_the_opponent_is_not() -> None:
    assert absent_seats(table("", ""), MatchEnded("resigned", (2,), (40, 0))) == (1,)


def test_who_lost_by_the_clock_or_by_points_was_there() -> None:
    assert absent_seats(table("", ""), MatchEnded("clock", (2,), (40, 0))) == ()
