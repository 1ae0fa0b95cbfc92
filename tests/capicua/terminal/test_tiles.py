from rich.text import Text
from tests.capicua.terminal.test_chain import placed

from capicua.terminal.chain import chain
from capicua.terminal.tiles import COLUMNS, layout_rows


def drawn(rows: list[Text]) -> list[str]:
    return [row.plain.rstrip() for row in rows]


def test_a_double_lies_crosswise_between_its_neighbours() -> None:
    assert drawn(layout_rows(chain(placed("6-6@start 6-1@right 6-3@left")))) == [
        "     ┌─┐",
        "┌─┬─┐│6│┌─┬─┐",
        "│3│6│├─┤│6│1│",
        "└─┴─┘│6│└─┴─┘",
        "     └─┘",
    ]


def test_without_a_double_a_row_is_flat() -> None:
    assert drawn(layout_rows(chain(placed("6-1@start")))) == ["┌─┬─┐", "│6│1│", "└─┴─┘"]


def test_a_long_layout_is_wrapped_within_the_columns() -> None:
    line = " ".join(["6-5@start", *["5-4@right", "5-4@right"] * 13])
    rows = layout_rows(chain(placed(line)))
    assert len(rows) == 6
    assert max(len(row) for row in rows) <= COLUMNS


def test_the_newest_tile_has_the_bright_frame() -> None:
    middle = layout_rows(chain(placed("6-1@start 1-0@right")))[1]
    styles = [str(span.style) for span in middle.spans]
    assert styles[0] == "bright_black"
    assert styles[-1] == "bold white"
