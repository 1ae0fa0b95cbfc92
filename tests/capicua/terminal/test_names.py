"""People's words on a terminal."""

import pytest
from rich.cells import cell_len

from capicua.terminal.names import padded, printable, shortened


def test_nothing_in_a_text_is_a_command_to_the_terminal() -> None:
    assert printable("a\x1b[2Jb\n\u202ec") == "a [2Jb  c"


@pytest.mark.parametrize(
    ("name", "short"),
    [("Ada", "Ada"), ("Maximiliane the Great", "Maximiliane…"), ("長い名前です長い", "長い名前で…"), ("A\tB", "A B")],
)
def test_a_name_keeps_to_twelve_columns(name: str, short: str) -> None:
    assert shortened(name) == short
    assert cell_len(shortened(name)) <= 12


def test_a_column_is_as_wide_whatever_stands_in_it() -> None:
    assert {cell_len(padded(name, 12)) for name in ("Ada", "長い名前", "")} == {12}
