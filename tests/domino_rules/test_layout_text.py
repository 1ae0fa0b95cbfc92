import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.domino_rules.matches import VARIANTS, decisions
from tests.domino_rules.test_layout import laid

from domino_rules.ends import PlayEnd
from domino_rules.layout import EMPTY
from domino_rules.layout_text import layout_text, parse_layout
from domino_rules.notation import NotationError, play_text
from domino_rules.tiles import Tile

BOTH_ARMS = "5-5@start 5-0@right 6-5@left 0-0@right 5-4@up 4-4@up 5-2@down"


def plays_text(plays: tuple[tuple[Tile, PlayEnd], ...]) -> str:
    return " ".join(play_text(tile, end) for tile, end in plays)


@pytest.mark.parametrize(
    ("plays", "text"),
    [
        ("", ""),
        ("6-4@start", "6|4"),
        ("6-4@start 6-1@left 4-4@right", "1|6 6|4 4|4"),
        ("3-3@start 6-3@left 3-1@right", "6|3 3|3 3|1"),
    ],
)
def test_a_line_is_its_tiles_from_left_to_right(plays: str, text: str) -> None:
    assert layout_text(laid(plays), four_ends=False) == text


@pytest.mark.parametrize(
    ("plays", "text"),
    [
        ("6-4@start", "6|4"),
        ("5-5@start", "5|5[/]"),
        ("6-5@start 5-5@right", "6|5 5|5[/]"),
        ("5-5@start 5-0@right 6-5@left 0-0@right", "6|5 5|5[/] 5|0 0|0"),
        ("5-5@start 5-0@right 6-5@left 5-4@up", "6|5 5|5[5|4/] 5|0"),
        (BOTH_ARMS, "6|5 5|5[5|4 4|4/5|2] 5|0 0|0"),
    ],
)
def test_the_spinner_carries_its_arms_in_brackets_outwards(plays: str, text: str) -> None:
    assert layout_text(laid(plays, four_ends=True), four_ends=True) == text


def test_reading_gives_plays_that_lead_there_the_spinner_first() -> None:
    assert plays_text(parse_layout("6|5 5|5[5|4 4|4/5|2] 5|0 0|0")) == (
        "5-5@start 6-5@left 5-0@right 0-0@right 5-4@up 4-4@up 5-2@down"
    )
    assert plays_text(parse_layout("1|6 6|4 4|4")) == "6-4@start 6-1@left 4-4@right"
    assert parse_layout("") == ()


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_every_layout_of_a_match_comes_back_from_its_text(variant: str, seed: int) -> None:
    four_ends = VARIANTS[variant].spinner
    for match, _ in decisions(VARIANTS[variant], seed):
        layout = EMPTY if match.round is None else match.round.layout
        text = layout_text(layout, four_ends=four_ends)
        plays = parse_layout(text)
        again = laid(plays_text(plays), four_ends=four_ends)
        assert layout_text(again, four_ends=four_ends) == text
        assert again.ends == layout.ends
        assert sorted(tile for tile, _ in plays) == sorted(play.tile for play in layout.plays)
        shown = [tuple(sorted(pair)) for pair in re.findall(r"(\d)\|(\d)", text)]
        assert len(set(shown)) == len(shown) == len(layout.plays)


@pytest.mark.parametrize(
    ("text", "expected", "got"),
    [
        ("6-3", "tiles such as 6|3 3|3 3|1 from character 1 on", "6-3"),
        ("6|3 3|7", "tiles such as 6|3 3|3 3|1 from character 5 on", "6|3 3|7"),
        ("6|3  3|1", "tiles such as 6|3 3|3 3|1 from character 5 on", "6|3  3|1"),
        ("6|3 ", "tiles such as 6|3 3|3 3|1 from character 5 on", "6|3 "),
        (" 6|3", "tiles such as 6|3 3|3 3|1 from character 1 on", " 6|3"),
        ("6|33|1", "tiles such as 6|3 3|3 3|1 from character 1 on", "6|33|1"),
        ("3|3[]", "tiles such as 6|3 3|3 3|1 from character 1 on", "3|3[]"),
        ("3|3[ /]", "tiles such as 6|3 3|3 3|1 from character 1 on", "3|3[ /]"),
        ("6|3 2|2", "a 3 next to 6|3", "2|2"),
        ("6|3 3|6", "every tile once", "3|6 again"),
        ("3|6", "a tile that can have opened, its higher half to the left", "3|6"),
        ("6|3[/]", "arms at a double", "6|3"),
        ("6|6[/] 6|3 3|3[/]", "one spinner", "3|3"),
        ("3|3[3|1/] 3|2", "a tile on either side of the spinner before its arms", "3|3[3|1/] 3|2"),
        ("6|3 3|3[/3|1]", "a tile on either side of the spinner before its arms", "6|3 3|3[/3|1]"),
        ("6|3 3|3[1|4/] 3|2", "a 3 next to 3|3", "1|4"),
        ("6|3 3|3[3|1 2|4/] 3|2", "a 1 next to 3|1", "2|4"),
        ("6|3 3|3[3|2/] 3|2", "every tile once", "3|2 again"),
    ],
)
def test_what_is_no_layout_says_what_was_expected_and_what_came(text: str, expected: str, got: str) -> None:
    with pytest.raises(NotationError) as raised:
        parse_layout(text)
    assert (raised.value.expected, raised.value.got) == (expected, got)


@given(st.text(alphabet="0123456|[/] ", max_size=24))
def test_any_text_is_a_layout_or_an_error(text: str) -> None:
    try:
        plays = parse_layout(text)
    except NotationError:
        return
    four_ends = "[" in text
    assert layout_text(laid(plays_text(plays), four_ends=four_ends), four_ends=four_ends) == text
