"""The layout as it lies on the table: from the left end to the right end, each tile turned as it was placed."""

from collections.abc import Sequence
from dataclasses import dataclass

from capicua.view import PlacedTile


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile as one reads it from left to right; a double lies crosswise. `order`: 0 was placed first."""

    left: int
    right: int
    order: int

    @property
    def is_double(self) -> bool:
        return self.left == self.right


def chain(layout: Sequence[PlacedTile]) -> list[Laid]:
    """From left to right. The tiles must fit, as those of a view do."""
    laid: list[Laid] = []
    for order, placed in enumerate(layout):
        high, low = (int(half) for half in placed.tile.split("-"))
        if placed.end == "left":
            inner = laid[0].left
            laid.insert(0, Laid(low if high == inner else high, inner, order))
        elif placed.end == "right":
            inner = laid[-1].right
            laid.append(Laid(inner, low if high == inner else high, order))
        else:
            laid.append(Laid(high, low, order))
    return laid


def as_text(layout: Sequence[PlacedTile]) -> str:
    """One line: `6|3 3|3 3|1`."""
    return " ".join(f"{tile.left}|{tile.right}" for tile in chain(layout))
