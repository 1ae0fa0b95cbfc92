"""Tiles as boxes of characters, in two sizes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

Cell = tuple[str, str]
Box = tuple[tuple[Cell, ...], ...]
"""Lines of characters with their styles."""

NUMBER_STYLES = ("white", "cyan", "green", "yellow", "blue", "magenta", "red")
FRAME = "bright_black"
NEWEST_FRAME = "bold white"


@dataclass(frozen=True, slots=True)
class Size:
    """How tiles are drawn: `flat` one that lies along, `crosswise` a double; widths and heights in characters.

    Both have their first number in the second column, so that an arm that turns stands right over its spinner.
    """

    flat: Callable[[int, int, str], Box]
    crosswise: Callable[[int, str], Box]
    flat_height: int
    crosswise_height: int

    flat_width = 5
    crosswise_width = 3


def _large_flat(left: int, right: int, frame: str) -> Box:
    bar = ("│", frame)
    return (_frame("┌─┬─┐", frame), (bar, _number(left), bar, _number(right), bar), _frame("└─┴─┘", frame))


def _large_crosswise(number: int, frame: str) -> Box:
    half = (("│", frame), _number(number), ("│", frame))
    return (_frame("┌─┐", frame), half, _frame("├─┤", frame), half, _frame("└─┘", frame))


def _small_flat(left: int, right: int, frame: str) -> Box:
    return ((("[", frame), _number(left), ("│", frame), _number(right), ("]", frame)),)


def _small_crosswise(number: int, frame: str) -> Box:
    return (
        (("╭", frame), _number(number), ("╮", frame)),
        _frame("├─┤", frame),
        (("╰", frame), _number(number), ("╯", frame)),
    )


LARGE: Final = Size(_large_flat, _large_crosswise, flat_height=3, crosswise_height=5)
SMALL: Final = Size(_small_flat, _small_crosswise, flat_height=1, crosswise_height=3)


def side_by_side(boxes: Sequence[Box], gap: str) -> list[Text]:
    """Boxes of one height next to each other."""
    between = [(gap, "")]
    lines = zip(*boxes, strict=True)
    return [Text.assemble(*_joined(line, between)) for line in lines]


def _joined(parts: Iterable[Sequence[Cell]], between: Sequence[Cell]) -> list[Cell]:
    joined: list[Cell] = []
    for part in parts:
        joined += [*(between if joined else ()), *part]
    return joined


def _frame(characters: str, frame: str) -> tuple[Cell, ...]:
    return tuple((character, frame) for character in characters)


def _number(number: int) -> Cell:
    return str(number), f"bold {NUMBER_STYLES[number]}"
