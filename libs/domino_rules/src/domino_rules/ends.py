"""Where a tile may go: the ends of a layout and their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from domino_rules.tiles import Number

End: TypeAlias = Literal["left", "right", "up", "down"]
PlayEnd: TypeAlias = Literal["start", "left", "right", "up", "down"]
"""Where a play goes: `start` is the opening."""

Ends: TypeAlias = tuple[Number, ...]
"""The number of every open end in the order left, right, up, down: none before the first tile, then two, or four once
the spinner's arms are open."""

END_NAMES: Final[tuple[End, ...]] = ("left", "right", "up", "down")
PLAY_ENDS: Final[tuple[PlayEnd, ...]] = ("left", "right", "up", "down", "start")
END_INDEX: Final[dict[str, int]] = {end: index for index, end in enumerate(PLAY_ENDS)}
"""The place of an end in `Ends`; `start` comes after them."""


def ends_to_json(ends: Ends) -> dict[End, Number]:
    """The number of every open end by its name."""
    return dict(zip(END_NAMES, ends, strict=False))


def ends_from_json(body: Mapping[str, Number]) -> Ends:
    """The ends of such an object; raises `ValueError` when it does not name none, the first two or all four."""
    names = END_NAMES[: len(body)]
    if set(names) != set(body) or len(body) not in (0, 2, 4):
        raise ValueError(f"ends: expected none, left and right, or all four, got {', '.join(map(repr, body))}")
    return tuple([body[name] for name in names])
