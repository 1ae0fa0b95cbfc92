"""A page that is drawn anew when what it shows has changed, and whose first line is renewed in between."""

from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

CLEAR = "\x1b[H\x1b[2J"
SAVE, RESTORE, TO_TOP = "\x1b7", "\x1b8", "\x1b[1;1H\x1b[K"
GAP_CELLS = 2
BESIDE_CELLS_MIN = 40


class Page:
    """On a terminal; elsewhere `print` alone is of use."""

    def __init__(self, console: Console, *, as_json: bool = False) -> None:
        self._console = console
        self._first: Text | None = None
        self.is_screen = console.is_terminal and not console.is_dumb_terminal and not as_json

    @property
    def has_colors(self) -> bool:
        return self._console.color_system is not None and not self._console.no_color

    @property
    def lines(self) -> int:
        """How many there is room for, below the first and above a prompt."""
        return self._console.height - 2

    def beside(self, lines: Sequence[Text], picture: Sequence[Text]) -> list[Text]:
        """The picture at the right of the lines, which are wrapped; the lines alone where it finds no room."""
        width = self._console.width - GAP_CELLS - max(row.cell_len for row in picture)
        if width < BESIDE_CELLS_MIN or len(picture) > self.lines:
            return list(lines)
        wrapped = [part for line in lines for part in line.wrap(self._console, width)]
        rows = zip_longest(wrapped, picture, fillvalue=Text())
        return [Text.assemble(left, " " * (width + GAP_CELLS - left.cell_len), right) for left, right in rows]

    def draw(self, first: Text, lines: Sequence[Text], prompt: str = "", more: Text | None = None) -> None:
        """Long lines are wrapped; what is below the last line there is room for is left out, and `more` said there."""
        self._first = first
        width = self._console.width
        wrapped = [
            part for line in lines for part in ([line] if line.cell_len <= width else line.wrap(self._console, width))
        ]
        if more is not None and len(wrapped) > self.lines:
            wrapped[self.lines - 1 :] = [more]
        self._console.file.write(CLEAR)
        for line in (first, *wrapped[: self.lines]):
            self._console.print(line, no_wrap=True, overflow="ellipsis")
        self._console.print(Text(prompt), end="")
        self._console.file.flush()

    def end_line(self) -> None:
        """What is printed next begins below the prompt."""
        if self._first is not None:
            self._first = None
            self._console.print()

    def renew(self, first: Text) -> None:
        """The first line, without disturbing what is being typed."""
        if self._first is None or first == self._first:
            return
        self._first = first
        self._console.file.write(f"{SAVE}{TO_TOP}")
        self._console.print(first, end="", no_wrap=True, overflow="crop")
        self._console.file.write(RESTORE)
        self._console.file.flush()

    def print(self, line: Text) -> None:
        """Whole, however long it is."""
        self._console.print(line, soft_wrap=True)
