import pytest
from tests.capicua.terminal.layouts import ends_of, placed

from capicua.terminal.chain import Chain, Laid, as_text, chain


@pytest.mark.parametrize(
    ("plays", "text"),
    [
        ("", ""),
        ("6-4@start", "6|4"),
        ("6-4@start 4-1@right", "6|4 4|1"),
        ("6-4@start 4-1@right 1-1@right 6-3@left", "3|6 6|4 4|1 1|1"),
        ("5-5@start 5-2@left 5-2@right", "2|5 5|5 5|2"),
        ("6-4@start 6-6@left 6-0@left", "0|6 6|6 6|4"),
    ],
)
def test_each_tile_lies_with_the_fitting_half_inwards(plays: str, text: str) -> None:
    assert as_text(chain(placed(plays))) == text


@pytest.mark.parametrize(
    ("plays", "text"),
    [
        ("5-5@start 5-0@right", "5|5 5|0"),
        ("5-5@start 5-0@right 6-5@left", "6|5 5|5 (up) (down) 5|0"),
        ("5-5@start 5-0@right 6-5@left 5-4@up 4-4@up 5-2@down", "6|5 5|5 (up 5|4 4|4) (down 5|2) 5|0"),
        ("5-0@start 5-5@left 6-5@left 0-0@right 5-1@down", "6|5 5|5 (up) (down 5|1) 5|0 0|0"),
    ],
)
def test_arms_follow_the_spinner_outwards(plays: str, text: str) -> None:
    layout = placed(plays)
    assert as_text(chain(layout, ends_of(layout, four_ends=True))) == text


def test_the_order_of_placing_is_kept() -> None:
    laid = chain(placed("6-4@start 6-3@left"))
    assert laid == Chain((Laid(3, 6, 1), Laid(6, 4, 0)))
    assert laid.newest == 1
