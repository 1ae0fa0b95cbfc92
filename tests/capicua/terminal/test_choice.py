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
        ("4l", "3-1 does not fit on the left, but with r (right)"),
        ("2", "5-5 does not fit; you may play 6-3, 3-1"),
        ("9", "expected a tile's number from 1 to 4, maybe with l or r, got '9'"),
        ("0", "expected a tile's number from 1 to 4, maybe with l or r, got '0'"),
        ("", "expected a tile's number from 1 to 4, maybe with l or r, got ''"),
        ("1x", "expected a tile's number from 1 to 4, maybe with l or r, got '1x'"),
        ("l", "expected a tile's number from 1 to 4, maybe with l or r, got 'l'"),
        ("draw", "you cannot draw now; you may play 6-3, 3-1"),
        ("d", "you cannot draw now; you may play 6-3, 3-1"),
        ("p", "you cannot pass now; you may play 6-3, 3-1"),
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


@pytest.mark.parametrize(("line", "action"), [("d", "draw"), ("draw", "draw"), ("", "draw"), ("D \n", "draw")])
def test_where_nothing_fits_a_draw_is_asked_for(view: TableView, line: str, action: str) -> None:
    assert choose(line, view.model_copy(update={"legal": ("draw",)})) == action


@pytest.mark.parametrize("line", ["p", "pass", "\n"])
def test_where_nothing_can_be_drawn_a_pass_is_asked_for(view: TableView, line: str) -> None:
    assert choose(line, view.model_copy(update={"legal": ("pass",)})) == "pass"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("3", "4-4 does not fit; nothing fits: d to draw"),
        ("p", "you cannot pass now; nothing fits: d to draw"),
    ],
)
def test_a_tile_or_a_pass_where_one_must_draw_says_so(view: TableView, line: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as wrong:
        choose(line, view.model_copy(update={"legal": ("draw",)}))
    assert str(wrong.value) == why


def four_ends(view: TableView) -> TableView:
    ends = {"left": 3, "right": 1, "up": 5, "down": 5}
    legal = ("5-5@up", "5-5@down", "3-1@left", "3-1@right")
    return view.model_copy(update={"ends": ends, "legal": legal, "ruleset": view.ruleset | {"spinner": True}})


@pytest.mark.parametrize(("line", "action"), [("2u", "5-5@up"), ("2d", "5-5@down"), ("2 down", "5-5@down")])
def test_arms_are_named_like_other_ends(view: TableView, line: str, action: str) -> None:
    assert choose(line, four_ends(view)) == action


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("2l", "5-5 does not fit on the left, but with u (up) or d (down)"),
        ("4u", "3-1 does not fit upwards, but with l (left) or r (right)"),
        ("9", "expected a tile's number from 1 to 4, maybe with l, r, u or d, got '9'"),
    ],
)
def test_mistakes_with_arms_are_explained(view: TableView, line: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as wrong:
        choose(line, four_ends(view))
    assert str(wrong.value) == why


def test_where_ends_count_the_end_is_asked_for_even_between_equal_numbers(view: TableView) -> None:
    same = {"ends": {"left": 3, "right": 3}, "legal": ("3-1@left", "3-1@right")}
    tiles = (PlacedTile(seat=1, tile="3-3", end="start"), PlacedTile(seat=2, tile="6-3", end="left"))
    fives = view.model_copy(update=same | {"ruleset": {"fives": True}, "layout": tiles})
    with pytest.raises(NotUnderstood, match="fits both ends"):
        choose("4", fives)
    assert choose("4", fives.model_copy(update={"layout": tiles[:1]})) == "3-1@left"
