"""The tiles placed this round, the ends where the next may go, and what the ends count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from domino_rules.ruleset import Seat
from domino_rules.tiles import HIGH, IS_DOUBLE, LOW, PIPS, TILES, Number, Tile, has_number, other_half

End: TypeAlias = Literal["left", "right", "up", "down"]
PlayEnd: TypeAlias = Literal["start", "left", "right", "up", "down"]
"""Where a play goes: `start` is the opening."""

Ends: TypeAlias = Mapping[End, Number]
"""Every end on which a tile may lie and its number, in the order left, right, up, down; never changed once made."""

END_NAMES: Final[tuple[End, ...]] = ("left", "right", "up", "down")


@dataclass(frozen=True, slots=True)
class Play:
    """One tile as it was placed."""

    seat: Seat
    tile: Tile
    end: PlayEnd


@dataclass(frozen=True, slots=True)
class Layout:
    """All plays of the round in order, and the ends after the last. A value: never changed once made."""

    plays: tuple[Play, ...]
    ends: Ends


EMPTY: Final = Layout((), {})


def places_for(layout: Layout, tile: Tile) -> list[PlayEnd]:
    """Where the tile may go: `start` when nothing lies, else the open ends with one of its numbers, in order."""
    if not layout.plays:
        return ["start"]
    return [end for end, number in layout.ends.items() if has_number(tile, number)]


def with_play(layout: Layout, play: Play, *, four_ends: bool) -> Layout:
    """The layout once the play lies there; the play must fit."""
    return Layout((*layout.plays, play), ends_after(layout, play, four_ends=four_ends))


def ends_after(layout: Layout, play: Play, *, four_ends: bool) -> Ends:
    """The ends once the play lies there. With four ends the spinner's arms open when both its sides are covered."""
    if play.end == "start":
        return {"left": HIGH[play.tile], "right": LOW[play.tile]}
    ends = dict(layout.ends)
    ends[play.end] = other_half(play.tile, ends[play.end])
    plays = (*layout.plays, play)
    spinner = _spinner(plays) if four_ends and "up" not in ends else None
    if spinner is not None and _is_enclosed(spinner, plays):
        ends["up"] = ends["down"] = HIGH[spinner]
    return ends


def ends_total(layout: Layout) -> int:
    """The pips on the open ends: a double counts both halves, a lone opening tile its pips once, a bare arm nothing."""
    if len(layout.plays) == 1:
        return PIPS[layout.plays[0].tile]
    total = 0
    for end, number in layout.ends.items():
        tip = _tip(layout.plays, end)
        if tip is not None:
            total += 2 * number if IS_DOUBLE[tip] else number
    return total


def is_dead_end(layout: Layout) -> bool:
    """Whether all seven tiles of every open number lie on the layout, so that nothing can ever be added."""
    placed = {play.tile for play in layout.plays}
    open_numbers = set(layout.ends.values())
    return bool(placed) and all(tile in placed for tile in _with_any(open_numbers))


def _with_any(numbers: Iterable[Number]) -> set[Tile]:
    return {tile for tile in TILES for number in numbers if has_number(tile, number)}


def _spinner(plays: tuple[Play, ...]) -> Tile | None:
    return next((play.tile for play in plays if IS_DOUBLE[play.tile]), None)


def _is_enclosed(spinner: Tile, plays: tuple[Play, ...]) -> bool:
    """Both main sides of the spinner carry a tile exactly when it is the outermost tile of neither."""
    return spinner not in (_tip(plays, "left"), _tip(plays, "right"))


def _tip(plays: tuple[Play, ...], end: End) -> Tile | None:
    """The outermost tile at that end; the opening tile is outermost on both main sides until something covers it."""
    for play in reversed(plays):
        if play.end == end:
            return play.tile
    return plays[0].tile if end in ("left", "right") else None
