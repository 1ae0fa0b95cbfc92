import pytest

from domino_rules.actions import play_of
from domino_rules.ends import End, ends_to_json
from domino_rules.layout import EMPTY, Layout, ends_total, is_dead_end, places_for, with_play
from domino_rules.notation import parse_play, parse_tile
from domino_rules.tiles import Number


def laid(text: str, *, four_ends: bool = False) -> Layout:
    """The layout of plays such as `6-6@start 6-1@left`, each checked for fit."""
    layout = EMPTY
    for play in text.split():
        tile, end = parse_play(play)
        assert end in places_for(layout, tile), play
        layout = with_play(layout, play_of(1, tile, end), four_ends=four_ends)
    return layout


def total(text: str, *, four_ends: bool = False) -> int:
    before, _, _ = text.rpartition(" ")
    layout = laid(text, four_ends=four_ends)
    return ends_total(laid(before, four_ends=four_ends), layout.plays[-1], layout.ends)


def ends(text: str, *, four_ends: bool = False) -> dict[End, Number]:
    return ends_to_json(laid(text, four_ends=four_ends).ends)


def test_the_opening_tile_lies_with_its_higher_half_to_the_left() -> None:
    assert ends("6-4@start") == {"left": 6, "right": 4}


def test_a_play_turns_the_matching_half_inwards() -> None:
    assert ends("6-4@start 6-1@left 4-4@right") == {"left": 1, "right": 4}


def test_a_tile_that_fits_both_ends_has_two_places_in_order() -> None:
    assert places_for(laid("6-4@start"), parse_tile("6-4")) == ["left", "right"]
    assert places_for(laid("6-6@start"), parse_tile("6-1")) == ["left", "right"]
    assert places_for(laid("6-4@start"), parse_tile("5-5")) == []
    assert places_for(EMPTY, parse_tile("5-5")) == ["start"]


def test_a_lone_opening_tile_counts_its_pips_once() -> None:
    assert total("5-5@start") == 10
    assert total("6-4@start") == 10
    assert total("3-2@start") == 5


def test_a_double_on_an_end_counts_both_halves() -> None:
    assert total("5-5@start 5-0@right") == 10
    assert total("6-4@start 4-4@right") == 14


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        ("5-5@start", 10),
        ("5-5@start 5-0@right", 10),
        ("5-5@start 5-0@right 6-5@left", 6),
        ("5-5@start 5-0@right 6-5@left 0-0@right", 6),
        ("5-5@start 5-0@right 6-5@left 0-0@right 5-4@up", 10),
        ("5-5@start 5-0@right 6-5@left 0-0@right 5-4@up 5-2@down", 12),
    ],
)
def test_a_covered_spinner_counts_nothing_and_an_arm_only_with_a_tile(plays: str, expected: int) -> None:
    assert total(plays, four_ends=True) == expected


def test_the_arms_open_when_both_main_sides_of_the_spinner_carry_a_tile() -> None:
    assert ends("5-5@start 5-0@right", four_ends=True) == {"left": 5, "right": 0}
    opened = ends("5-5@start 5-0@right 6-5@left", four_ends=True)
    assert opened == {"left": 6, "right": 0, "up": 5, "down": 5}
    assert list(opened) == ["left", "right", "up", "down"]


def test_a_later_first_double_is_the_spinner_and_no_double_after_it_is() -> None:
    assert "up" not in ends("6-5@start 5-5@right", four_ends=True)
    covered = "6-5@start 5-5@right 5-1@right"
    assert ends(covered, four_ends=True) == {"left": 6, "right": 1, "up": 5, "down": 5}
    assert total(covered, four_ends=True) == 7
    with_another = "6-5@start 5-5@right 5-1@right 1-1@right 6-6@left 6-2@left"
    assert ends(with_another, four_ends=True) == {"left": 2, "right": 1, "up": 5, "down": 5}
    assert total(with_another, four_ends=True) == 4


def test_a_double_on_an_arm_counts_both_halves() -> None:
    assert total("5-5@start 5-0@right 6-5@left 5-4@up 4-4@up", four_ends=True) == 14


def test_without_four_ends_no_arm_ever_opens() -> None:
    assert set(ends("5-5@start 5-0@right 6-5@left")) == {"left", "right"}


def test_a_dead_end_needs_all_seven_tiles_of_every_open_number() -> None:
    all_sixes_and_more = "6-6@start 6-1@left 1-0@left 6-0@left 6-2@right 3-2@right 6-3@right 6-4@right 5-4@right"
    assert not is_dead_end(laid(all_sixes_and_more))
    assert is_dead_end(laid(all_sixes_and_more + " 6-5@right"))
    assert not is_dead_end(EMPTY)


def test_a_bare_arm_is_an_open_number_for_a_dead_end() -> None:
    # 6|6 lies last on both ends' numbers, but the spinner 1|1 still offers its arms.
    plays = "1-1@start 6-1@left 4-1@right 6-2@left 4-2@right"
    assert set(ends(plays, four_ends=True).values()) == {2, 1}
    assert not is_dead_end(laid(plays, four_ends=True))
