import pytest
from tests.capicua.matches import match

from capicua.terminal.choice import NotUnderstood, choose
from capicua.view import PlacedTile, TableView


@pytest.fixture(scope="module")
def view() -> TableView:
    base = next(outcome.view(1) for outcome in match("draw", 2, 50) if outcome.view(1).my_turn)
    mine = {
        "hand": ("6-3", "5-5", "4-4", "3-1"),
        "layout": base.layout[:1] or (PlacedTile(seat=2, tile="6-3", end="start"),),
        "ends": {"left": 6, "right": 3},
        "legal": ("6-3@left", "6-3@right", "3-1@right"),
    }
    return base.model_copy(update=mine)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("4", "3-1@right"),
        (" 4 \n", "3-1@right"),
        ("4r", "3-1@right"),
        ("1l", "6-3@left"),
        ("1 right", "6-3@right"),
        ("6-3@left", "6-3@left"),
    ],
)
def test_a_number_maybe_with_an_end_is_a_choice(view: TableView, line: str, action: str) -> None:
    assert choose(line, view) == action


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1", "6-3 fits both ends: add l (left) or r (right)"),
        ("4l", "3-1 does not fit on the left"),
        ("2", "5-5 does not fit; you may play 6-3, 3-1"),
        ("9", "expected a tile's number from 1 to 4, maybe with l or r, got '9'"),
        ("0", "expected a tile's number from 1 to 4, maybe with l or r, got '0'"),
        ("", "expected a tile's number from 1 to 4, maybe with l or r, got ''"),
        ("1x", "expected a tile's number from 1 to 4, maybe with l or r, got '1x'"),
        ("l", "expected a tile's number from 1 to 4, maybe with l or r, got 'l'"),
        ("draw", "expected a tile's number from 1 to 4, maybe with l or r, got 'draw'"),
        ("²", "expected a tile's number from 1 to 4, maybe with l or r, got '²'"),
    ],
)
def test_anything_else_says_what_was_expected(view: TableView, line: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as wrong:
        choose(line, view)
    assert str(wrong.value) == why


def test_ends_with_the_same_number_need_no_name(view: TableView) -> None:
    same = view.model_copy(update={"ends": {"left": 3, "right": 3}, "legal": ("3-1@left", "3-1@right")})
    assert choose("4", same) == "3-1@left"


def test_an_opening_needs_no_end(view: TableView) -> None:
    opening = view.model_copy(update={"layout": (), "ends": {}, "legal": ("5-5@start",)})
    assert choose("2", opening) == choose("2l", opening) == "5-5@start"
