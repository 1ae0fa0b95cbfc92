"""The tiles placed this round, the ends where the next may go, and what the ends count."""

from __future__ import annotations

from typing import Final

from domino_rules.actions import PlayTile
from domino_rules.ends import END_NAMES, Ends, PlayEnd
from domino_rules.tiles import HIGH, IS_DOUBLE, LOW, PIPS, Tile, fitting, has_number, set_of
from domino_rules.value import Value


class Layout(Value):
    """All plays of the round in order, and the ends after the last."""

    __slots__ = ("ends", "plays")
    __match_args__ = ("plays", "ends")

    def __init__(self, plays: tuple[PlayTile, ...], ends: Ends) -> None:
        self.plays: Final = plays
        self.ends: Final = ends


EMPTY: Final = Layout((), ())


def places_for(layout: Layout, tile: Tile) -> list[PlayEnd]:
    """Where the tile may go: `start` when nothing lies, else the open ends with one of its numbers, in order."""
    if not layout.plays:
        return ["start"]
    return [END_NAMES[index] for index, number in enumerate(layout.ends) if has_number(tile, number)]


def with_play(layout: Layout, play: PlayTile, *, four_ends: bool) -> Layout:
    """The layout once the play lies there; the play must name its end and fit."""
    return Layout((*layout.plays, play), ends_after(layout, play, four_ends=four_ends))


def ends_after(layout: Layout, play: PlayTile, *, four_ends: bool) -> Ends:
    """The ends once the play lies there. With four ends the spinner's arms open when both its sides are covered."""
    tile, place, ends = play.tile, play.place, layout.ends
    if not ends:
        return (HIGH[tile], LOW[tile])
    number = PIPS[tile] - ends[place]  # the other half
    if len(ends) > 2:
        return (*ends[:place], number, *ends[place + 1 :])
    main = (number, ends[1]) if place == 0 else (ends[0], number)
    return _with_arms(main, (*layout.plays, play)) if four_ends else main


def ends_total(before: Layout, play: PlayTile, ends: Ends) -> int:
    """The pips on the open ends once the play lies there: a double counts both halves, a lone opening tile its pips
    once, a bare arm nothing."""
    if not before.plays:
        return PIPS[play.tile]
    plays, played_at, total = before.plays, play.place, 0
    for place, number in enumerate(ends):
        tip = play.tile if place == played_at else _tip(plays, place)
        if tip is not None:
            total += 2 * number if IS_DOUBLE[tip] else number
    return total


def is_dead_end(layout: Layout) -> bool:
    """Whether all seven tiles of every open number lie on the layout, so that nothing can ever be added."""
    laid = set_of([play.tile for play in layout.plays])
    return laid != 0 and fitting(layout.ends) & ~laid == 0


def _with_arms(main: Ends, plays: tuple[PlayTile, ...]) -> Ends:
    spinner = next((play.tile for play in plays if IS_DOUBLE[play.tile]), None)
    # Both main sides of the spinner carry a tile exactly when it is the outermost tile of neither.
    if spinner is None or spinner in (_tip(plays, 0), _tip(plays, 1)):
        return main
    return (*main, HIGH[spinner], HIGH[spinner])


def _tip(plays: tuple[PlayTile, ...], place: int) -> Tile | None:
    """The outermost tile at that end; the opening tile is outermost on both main sides until something covers it."""
    for play in reversed(plays):
        if play.place == place:
            return play.tile
    return plays[0].tile if place < 2 else None
