import pytest
from tests.domino_rules.matches import dealt, hands

from domino_rules import Ruleset
from domino_rules.notation import parse_tile
from domino_rules.opening import NextOpening, OpenerNeeded, first_opening, opener_of_deal, opening_after
from domino_rules.ruleset import PRESETS

NO_DOUBLES = ("6-3 4-1 3-0 2-1 5-0 4-2 1-0", "5-4 6-0 5-1 3-2 4-0 2-0 3-1")


def test_the_highest_double_dealt_must_open() -> None:
    assert opener_of_deal(NextOpening(None, True), hands("6-5 3-3", "4-4 6-4")) == (2, parse_tile("4-4"))


def test_without_a_double_the_heaviest_tile_must_open_and_the_larger_half_decides() -> None:
    assert opener_of_deal(NextOpening(None, True), hands(*NO_DOUBLES)) == (1, parse_tile("6-3"))


def test_a_named_opener_may_open_with_any_tile() -> None:
    assert opener_of_deal(NextOpening(2, False), hands(*NO_DOUBLES)) == (2, None)


def test_where_a_lot_decides_somebody_must_have_drawn_it() -> None:
    with pytest.raises(OpenerNeeded, match=r"^expected an opener, because a lot decides, got none$"):
        opener_of_deal(NextOpening(None, False), hands(*NO_DOUBLES))


@pytest.mark.parametrize(
    ("preset", "first", "after_win", "after_tie"),
    [
        ("draw", (None, True), (2, False), (None, True)),
        ("block", (None, True), (2, False), (None, True)),
        ("duel-draw", (None, True), (None, True), (None, True)),
        ("all-fives", (None, False), (2, False), (None, False)),
        ("party", (None, True), (2, False), (1, False)),
    ],
)
def test_how_rounds_open(
    preset: str, first: tuple[int | None, bool], after_win: tuple[int | None, bool], after_tie: tuple[int | None, bool]
) -> None:
    ruleset = Ruleset.of(preset, 2)
    assert first_opening(ruleset) == NextOpening(*first)
    assert opening_after(ruleset, winner=2, opener=1) == NextOpening(*after_win)
    assert opening_after(ruleset, winner=None, opener=2) == NextOpening(*after_tie)


def test_every_preset_is_in_the_table_above() -> None:
    assert set(PRESETS) == {"draw", "block", "duel-draw", "all-fives", "party"}


def test_the_house_opens_a_duel_and_the_other_seat_acts_next() -> None:
    match = dealt(Ruleset.of("duel-draw"), "6-6 1-0", "6-1 5-5")
    assert match.round is not None
    assert [(play.seat, play.tile) for play in match.round.layout.plays] == [(1, parse_tile("6-6"))]
    assert match.round.to_move == 2
    assert match.round.hands == hands("1-0", "6-1 5-5")


def test_a_named_opener_suspends_the_house_opening() -> None:
    match = dealt(Ruleset.of("duel-draw"), "6-6 1-0", "6-1 5-5", opener=2)
    assert match.round is not None
    assert (match.round.layout.plays, match.round.to_move, match.round.forced_tile) == ((), 2, None)
