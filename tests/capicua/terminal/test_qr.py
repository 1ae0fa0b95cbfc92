"""Links as pictures, read back dot by dot."""

import pytest
import segno

from capicua.terminal.qr import BORDER, qr_lines

LINK = "https://dominoes.example/join/ABC234"
DOTS = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


@pytest.mark.parametrize("color", [True, False])
def test_every_dot_is_where_the_code_has_it_with_a_quiet_border(color: bool) -> None:
    lines = qr_lines(LINK, color=color)
    rows = [[DOTS[dot][half] for dot in line.plain] for line in lines for half in (0, 1)]
    if not color:  # what is bright on a dark terminal is the light part
        rows = [[1 - dot for dot in row] for row in rows]
    expected = [
        [int(bit) for bit in row] for row in segno.make(LINK, error="l", micro=False).matrix_iter(border=BORDER)
    ]
    assert rows[: len(expected)] == expected
    assert all(dot == 0 for row in rows[len(expected) :] for dot in row)


def test_it_fits_beside_nothing_else_on_a_small_terminal() -> None:
    lines = qr_lines(LINK, color=True)
    assert len(lines) <= 20
    assert max(line.cell_len for line in lines) <= 40
