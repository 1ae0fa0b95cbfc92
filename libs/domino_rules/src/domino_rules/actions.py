"""What a seat can do in its turn, and the two ways in which its time can run out."""

from __future__ import annotations

from typing import Final, TypeAlias

from domino_rules.ends import END_INDEX, PLAY_ENDS, PlayEnd
from domino_rules.ruleset import Seat
from domino_rules.tiles import TILES, Tile
from domino_rules.value import Value


class PlayTile(Value):
    """Place a tile; the end may be left out when only one is legal. A layout's plays all name theirs."""

    __slots__ = ("end", "place", "seat", "tile")
    __match_args__ = ("seat", "tile", "end")

    def __init__(self, seat: Seat, tile: Tile, end: PlayEnd | None = None) -> None:
        self.seat: Final = seat
        self.tile: Final = tile
        self.end: Final = end
        self.place: Final = -1 if end is None else END_INDEX[end]
        """Where its end stands in `Ends`; -1 when none is named."""


class Draw(Value):
    """Take tiles until one fits or none may be taken."""

    __slots__ = ("seat",)
    __match_args__ = ("seat",)

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat


class Pass(Value):
    """Say that nothing can be played and nothing drawn."""

    __slots__ = ("seat",)
    __match_args__ = ("seat",)

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat


class Timeout(Value):
    """The turn timer ran out: the autopilot acts for this turn."""

    __slots__ = ("seat",)
    __match_args__ = ("seat",)

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat


class Flag(Value):
    """The seat's match clock ran out: the match is lost."""

    __slots__ = ("seat",)
    __match_args__ = ("seat",)

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat


Action: TypeAlias = PlayTile | Draw | Pass | Timeout | Flag

PLAYS: Final[tuple[tuple[tuple[PlayTile, ...], ...], ...]] = tuple(
    [
        tuple([tuple([PlayTile(seat, tile, end) for tile in range(len(TILES))]) for end in PLAY_ENDS])
        for seat in range(5)
    ]
)
"""Every play there is, by seat, place of the end in `PLAY_ENDS`, and tile: all matches share them."""


def play_of(seat: Seat, tile: Tile, end: PlayEnd) -> PlayTile:
    """The shared value of that play."""
    return PLAYS[seat][END_INDEX[end]][tile]
