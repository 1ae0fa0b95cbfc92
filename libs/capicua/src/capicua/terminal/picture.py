"""The layout as a picture: the line across, the spinner's arms above and below it, folded like a snake.

An arm turns at once: its first tile lies right over or under the spinner, and the others go on to the side. What does
not fit into the width goes on in the next row, back in the other direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.text import Text

from capicua.terminal.canvas import Canvas
from capicua.terminal.chain import Chain, Laid
from capicua.terminal.tiles import FRAME, NEWEST_FRAME, Size

COLUMNS = 78
MARGIN = 2
"""On both sides, for the marks of ends and for the bends of a fold."""
INSET = 8
"""What the arms leave free on both sides where a fold of the line goes past them."""
BEND = "white"
MARK = "bold bright_yellow"
RIGHT, LEFT = 1, -1
UPWARDS, DOWNWARDS = -1, 1


def picture(chain: Chain, size: Size) -> list[Text]:
    """At most 78 columns wide; the newest tile has a bright frame, each open end is marked with its first letter."""
    painter = _Painter(size, chain.newest)
    if not chain.line:
        return []
    if chain.spinner is None:
        painter.paint_line(chain.line)
    else:
        painter.paint_cross(chain, chain.spinner)
    return painter.canvas.rows()


@dataclass(frozen=True, slots=True)
class _Row:
    """Tiles that follow each other from the column `start` to the `heading`."""

    tiles: tuple[Laid, ...]
    start: int
    heading: int
    size: Size

    @property
    def end(self) -> int:
        """The column at which the next tile would start."""
        return self.start + self.heading * _width(self.tiles, self.size)

    @property
    def half_height(self) -> int:
        """Lines above its middle line, and below."""
        doubles = any(tile.is_double for tile in self.tiles)
        return (self.size.crosswise_height if doubles else self.size.flat_height) // 2


class _Painter:
    """Lines are counted from the middle of the first row that is painted."""

    def __init__(self, size: Size, newest: int) -> None:
        self.canvas = Canvas()
        self._size = size
        self._newest = newest

    def paint_line(self, line: Sequence[Laid]) -> None:
        room = COLUMNS - 2 * MARGIN
        start = MARGIN + max(0, room - _width(line, self._size)) // 2
        rows = self._folded(line, start, RIGHT, MARGIN)
        self._mark("L", start, LEFT, 0)
        self._paint_row(rows[0], 0)
        self._paint_rest(rows, rows[0].half_height + 1, DOWNWARDS, "R")

    def paint_cross(self, chain: Chain, spinner: int) -> None:
        """Where the line does not fit, its left side goes on below everything, its right side above."""
        left = tuple(tile.turned() for tile in reversed(chain.line[:spinner]))
        right = chain.line[spinner + 1 :]
        middle = _Row((chain.line[spinner],), self._spinner_start(left, right), RIGHT, self._size)
        left_rows = self._folded(left, middle.start, LEFT, MARGIN)
        right_rows = self._folded(right, middle.end, RIGHT, MARGIN)
        for row in (middle, left_rows[0], right_rows[0]):
            self._paint_row(row, 0)
        inset = INSET if len(left_rows) + len(right_rows) > 2 else MARGIN
        top = self._paint_arm(chain.up, middle, inset, UPWARDS, "U")
        self._paint_rest(right_rows, top, UPWARDS, "R")
        bottom = self._paint_arm(chain.down, middle, inset, DOWNWARDS, "D")
        self._paint_rest(left_rows, bottom, DOWNWARDS, "L")

    def _spinner_start(self, left: Sequence[Laid], right: Sequence[Laid]) -> int:
        """As near to the middle as both sides allow; else so that only one side is folded, if that is possible."""
        least = MARGIN + _width(left, self._size)
        most = COLUMNS - MARGIN - self._size.crosswise_width - _width(right, self._size)
        return sorted((least, (COLUMNS - self._size.crosswise_width) // 2, most))[1]

    def _paint_arm(self, arm: Sequence[Laid], spinner: _Row, inset: int, growth: int, mark: str) -> int:
        """Paints an arm from the spinner upwards or downwards; returns the next free line there."""
        stem, line = spinner.start + 1, growth * (spinner.half_height + 1)
        if not arm:
            self.canvas.put(stem, line, mark, MARK)
            return line + growth
        heading = self._heading(arm, spinner, inset, RIGHT if growth == UPWARDS else LEFT)
        rows = self._folded(arm, spinner.start if heading == RIGHT else spinner.end, heading, inset)
        middle = line + growth * rows[0].half_height
        for gap in range(line, middle, growth):
            self.canvas.put(stem, gap, "│", BEND)
        self._paint_row(rows[0], middle)
        return self._paint_rest(rows, middle + growth * (rows[0].half_height + 1), growth, mark, middle)

    def _heading(self, arm: Sequence[Laid], spinner: _Row, inset: int, wanted: int) -> int:
        """The wanted side if there is room for all of the arm, or more than on the other side."""
        rooms = {RIGHT: COLUMNS - inset - spinner.start, LEFT: spinner.end - inset}
        enough = rooms[wanted] >= min(_width(arm, self._size), rooms[-wanted])
        return wanted if enough else -wanted

    def _folded(self, tiles: Sequence[Laid], start: int, heading: int, margin: int) -> list[_Row]:
        """At least one row, maybe an empty one."""
        rows = [_Row((), start, heading, self._size)]
        for tile in tiles:
            row = rows[-1]
            longer = _Row((*row.tiles, tile), row.start, row.heading, self._size)
            if margin <= longer.end <= COLUMNS - margin:
                rows[-1] = longer
            else:
                rows.append(_Row((tile,), row.end, -row.heading, self._size))
        return rows

    def _paint_rest(self, rows: Sequence[_Row], line: int, growth: int, mark: str, middle: int = 0) -> int:
        """Paints all rows but the first, whose middle is given, from `line` on; returns the next free line."""
        for before, row in pairwise(rows):
            next_middle = line + growth * row.half_height
            self._paint_bend(before, middle, next_middle)
            self._paint_row(row, next_middle)
            middle, line = next_middle, next_middle + growth * (row.half_height + 1)
        self._mark(mark, rows[-1].end, rows[-1].heading, middle)
        return line

    def _paint_bend(self, row: _Row, middle: int, next_middle: int) -> None:
        near = row.end if row.heading == RIGHT else row.end - 1
        upper, lower = sorted((middle, next_middle))
        for line in range(upper + 1, lower):
            self.canvas.put(near + row.heading, line, "│", BEND)
        corners = ("─╮", "─╯") if row.heading == RIGHT else ("╭─", "╰─")
        for line, corner in zip((upper, lower), corners, strict=True):
            self.canvas.put(min(near, near + row.heading), line, corner, BEND)

    def _paint_row(self, row: _Row, middle: int) -> None:
        column = row.start
        for tile in row.tiles:
            width = _width((tile,), self._size)
            self._paint_tile(
                tile if row.heading == RIGHT else tile.turned(), min(column, column + row.heading * width), middle
            )
            column += row.heading * width

    def _paint_tile(self, tile: Laid, column: int, middle: int) -> None:
        frame = NEWEST_FRAME if tile.order == self._newest else FRAME
        box = self._size.crosswise(tile.near, frame) if tile.is_double else self._size.flat(tile.near, tile.far, frame)
        for line, cells in enumerate(box, middle - len(box) // 2):
            for offset, (character, style) in enumerate(cells):
                self.canvas.put(column + offset, line, character, style)

    def _mark(self, letter: str, column: int, heading: int, line: int) -> None:
        if heading == RIGHT:
            self.canvas.put(column, line, f"╶{letter}", MARK)
        else:
            self.canvas.put(column - 2, line, f"{letter}╴", MARK)


def _width(tiles: Sequence[Laid], size: Size) -> int:
    return sum(size.crosswise_width if tile.is_double else size.flat_width for tile in tiles)
