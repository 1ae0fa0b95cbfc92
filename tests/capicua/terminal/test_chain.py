import pytest

from capicua.terminal.chain import Laid, as_text, chain
from capicua.view import PlacedTile


def placed(text: str) -> list[PlacedTile]:
    """`6-4@start 6-6@left` as a view's layout."""
    return [PlacedTile(seat=1, tile=tile, end=end) for tile, _, end in (play.partition("@") for play in text.split())]


@pytest.mark.parametrize(
    ("plays", "layout"),
    [
        ("", ""),
        ("6-4@start", "6|4"),
        ("6-4@start 4-1@right", "6|4 4|1"),
        ("6-4@start 4-1@right 1-1@right 6-3@left", "3|6 6|4 4|1 1|1"),
        ("5-5@start 5-2@left 5-2@right", "2|5 5|5 5|2"),
        ("6-4@start 6-6@left 6-0@left", "0|6 6|6 6|4"),
    ],
)
def test_each_tile_lies_with_the_fitting_half_inwards(plays: str, layout: str) -> None:
    assert as_text(placed(plays)) == layout


def test_the_order_of_placing_is_kept() -> None:
    assert chain(placed("6-4@start 6-3@left")) == [Laid(3, 6, 1), Laid(6, 4, 0)]
