import pytest
from tests.capicua.terminal.layouts import ends_of, placed

from capicua.terminal.chain import Chain, Laid, chain


def halves(tiles: tuple[Laid, ...]) -> str:
    return " ".join(f"{tile.near}|{tile.far}" for tile in tiles)


@pytest.mark.parametrize(
    ("plays", "line"),
    [
        ("", ""),
        ("6-4@start", "6|4"),
        ("6-4@start 4-1@right", "6|4 4|1"),
        ("6-4@start 4-1@right 1-1@right 6-3@left", "3|6 6|4 4|1 1|1"),
        ("5-5@start 5-2@left 5-2@right", "2|5 5|5 5|2"),
        ("6-4@start 6-6@left 6-0@left", "0|6 6|6 6|4"),
    ],
)
def test_each_tile_lies_with_the_fitting_half_inwards(plays: str, line: str) -> None:
    found = chain(placed(plays))
    assert (halves(found.line), found.spinner, found.up, found.down) == (line, None, (), ())


@pytest.mark.parametrize(
    ("plays", "line", "spinner", "up", "down"),
    [
        ("5-5@start 5-0@right", "5|5 5|0", None, "", ""),
        ("5-5@start 5-0@right 6-5@left", "6|5 5|5 5|0", 1, "", ""),
        ("5-5@start 5-0@right 6-5@left 5-4@up 4-4@up 5-2@down", "6|5 5|5 5|0", 1, "5|4 4|4", "5|2"),
        ("5-0@start 5-5@left 6-5@left 6-6@left 5-1@down", "6|6 6|5 5|5 5|0", 2, "", "5|1"),
    ],
)
def test_arms_go_outwards_from_the_first_double(plays: str, line: str, spinner: int | None, up: str, down: str) -> None:
    layout = placed(plays)
    found = chain(layout, ends_of(layout, four_ends=True))
    assert (halves(found.line), found.spinner, halves(found.up), halves(found.down)) == (line, spinner, up, down)


def test_the_order_of_placing_is_kept() -> None:
    laid = chain(placed("6-4@start 6-3@left"))
    assert laid == Chain((Laid(3, 6, 1), Laid(6, 4, 0)))
    assert laid.newest == 1
