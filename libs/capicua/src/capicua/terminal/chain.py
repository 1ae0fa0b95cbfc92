"""The layout as it lies on the table: a line from the left end to the right end, and the arms of its spinner."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from capicua.view import PlacedTile


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile as one comes along: the halves `near` and `far`; a double lies crosswise. `order`: 0 was placed first."""

    near: int
    far: int
    order: int

    @property
    def is_double(self) -> bool:
        return self.near == self.far

    def turned(self) -> "Laid":
        """As one comes along from the other side."""
        return Laid(self.far, self.near, self.order)


@dataclass(frozen=True, slots=True)
class Chain:
    """`line` reads from left to right, `up` and `down` from the spinner outwards.

    `spinner` is the spinner's place in the line once its arms are open, else none.
    """

    line: tuple[Laid, ...] = ()
    spinner: int | None = None
    up: tuple[Laid, ...] = ()
    down: tuple[Laid, ...] = ()

    @property
    def newest(self) -> int:
        """The order of the tile that was placed last."""
        return len(self.line) + len(self.up) + len(self.down) - 1


def chain(layout: Sequence[PlacedTile], ends: Container[str] = ()) -> Chain:
    """The chain of a view's layout, whose tiles fit; `ends` are the view's open ends, for arms that are still bare."""
    line: list[Laid] = []
    arms: dict[str, list[Laid]] = {"up": [], "down": []}
    for order, placed in enumerate(layout):
        high, low = (int(half) for half in placed.tile.split("-"))
        if placed.end == "start":
            line.append(Laid(high, low, order))
        elif placed.end == "left":
            line.insert(0, _fitted(high, low, line[0].near, order).turned())
        elif placed.end == "right":
            line.append(_fitted(high, low, line[-1].far, order))
        else:
            arm = arms[placed.end]
            arm.append(_fitted(high, low, arm[-1].far if arm else _spinner(line).near, order))
    opened = arms["up"] or arms["down"] or "up" in ends
    return Chain(
        line=tuple(line),
        spinner=line.index(_spinner(line)) if opened else None,
        up=tuple(arms["up"]),
        down=tuple(arms["down"]),
    )


def _fitted(high: int, low: int, number: int, order: int) -> Laid:
    return Laid(high, low, order) if high == number else Laid(low, high, order)


def _spinner(line: Sequence[Laid]) -> Laid:
    """The first double that was placed; the arms' tiles are placed after it."""
    return min((tile for tile in line if tile.is_double), key=lambda tile: tile.order)
