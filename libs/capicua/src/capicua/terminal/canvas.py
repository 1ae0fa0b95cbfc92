"""A sheet of characters on which a picture is put together."""

from itertools import groupby

from rich.text import Text

BLANK = (" ", "")


class Canvas:
    """Columns count from 0 to the right, lines from 0 down; lines above 0 are allowed while one draws."""

    def __init__(self) -> None:
        self._lines: dict[int, dict[int, tuple[str, str]]] = {}

    def put(self, column: int, line: int, text: str, style: str) -> None:
        """One character a column, from `column` to the right."""
        cells = self._lines.setdefault(line, {})
        for offset, character in enumerate(text):
            cells[column + offset] = (character, style)

    def rows(self) -> list[Text]:
        """From the uppermost line that has something to the lowest."""
        if not self._lines:
            return []
        return [self._row(line) for line in range(min(self._lines), max(self._lines) + 1)]

    def _row(self, line: int) -> Text:
        cells = self._lines.get(line, {})
        across = (cells.get(column, BLANK) for column in range(max(cells, default=-1) + 1))
        runs = groupby(across, key=lambda cell: cell[1])
        return Text.assemble(*(("".join(character for character, _ in run), style) for style, run in runs))
