"""Tiles as boxes of characters."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from capicua.terminal.chain import Laid

COLUMNS = 78
ACROSS_HEIGHT = 5
FLAT_HEIGHT = 3
NUMBER_STYLES = ("white", "cyan", "green", "yellow", "blue", "magenta", "red")
FRAME = "bright_black"
NEWEST_FRAME = "bold white"


def flat(left: int, right: int, frame: str) -> list[Text]:
    """Three lines of five characters."""
    middle = Text.assemble(("│", frame), _number(left), ("│", frame), _number(right), ("│", frame))
    return [Text("┌─┬─┐", frame), middle, Text("└─┴─┘", frame)]


def crosswise(number: int, frame: str) -> list[Text]:
    """Five lines of three characters."""
    half = Text.assemble(("│", frame), _number(number), ("│", frame))
    return [Text("┌─┐", frame), half, Text("├─┤", frame), half, Text("└─┘", frame)]


def layout_rows(tiles: Sequence[Laid], columns: int = COLUMNS) -> list[Text]:
    """The whole layout, wrapped like writing; the newest tile has a bright frame."""
    newest = len(tiles) - 1
    rows: list[Text] = []
    for line in _wrapped(tiles, columns):
        height = ACROSS_HEIGHT if any(tile.is_double for tile in line) else FLAT_HEIGHT
        boxes = [_box(tile, NEWEST_FRAME if tile.order == newest else FRAME) for tile in line]
        rows += side_by_side(boxes, height)
    return rows


def side_by_side(boxes: Iterable[list[Text]], height: int, gap: str = "") -> list[Text]:
    """Boxes next to each other, each in the middle of `height` lines."""
    padded = [_centred(box, height) for box in boxes]
    return [Text(gap).join(box[line] for box in padded) for line in range(height)]


def _box(tile: Laid, frame: str) -> list[Text]:
    return crosswise(tile.left, frame) if tile.is_double else flat(tile.left, tile.right, frame)


def _wrapped(tiles: Sequence[Laid], columns: int) -> list[list[Laid]]:
    lines: list[list[Laid]] = []
    used = columns
    for tile in tiles:
        width = 3 if tile.is_double else 5
        if used + width > columns:
            lines.append([])
            used = 0
        lines[-1].append(tile)
        used += width
    return lines


def _centred(box: list[Text], height: int) -> list[Text]:
    blank = Text(" " * len(box[0]))
    above = (height - len(box)) // 2
    return [blank] * above + box + [blank] * (height - len(box) - above)


def _number(number: int) -> tuple[str, str]:
    return str(number), f"bold {NUMBER_STYLES[number]}"
