"""Who opens a round, and whether the tile is bound."""

from __future__ import annotations

from typing import Final

from domino_rules.ruleset import Ruleset, Seat
from domino_rules.tiles import IS_DOUBLE, Hand, Tile
from domino_rules.value import Value


class NextOpening(Value):
    """How a round to come opens: by that seat; by the deal (no seat, bound tile); by lot (no seat, free tile)."""

    __slots__ = ("forced", "opener")
    __match_args__ = ("opener", "forced")

    def __init__(self, opener: Seat | None, forced: bool) -> None:
        self.opener: Final = opener
        self.forced: Final = forced


class OpenerNeeded(ValueError):
    """A lot decides who opens and nobody drew it."""


def first_opening(ruleset: Ruleset) -> NextOpening:
    """How round 1 opens."""
    return NextOpening(None, ruleset.opening != "lot")


def opening_after(ruleset: Ruleset, winner: Seat | None, opener: Seat) -> NextOpening:
    """How the round after one opens that `winner` won (none: a tied block) and `opener` opened."""
    if winner is None:
        if ruleset.after_tie == "next-seat":
            return NextOpening(ruleset.next_seat(opener), forced=False)
        return first_opening(ruleset)
    if ruleset.after_win == "as-first":
        return first_opening(ruleset)
    return NextOpening(winner, forced=False)


def opener_of_deal(coming: NextOpening, hands: tuple[Hand, ...]) -> tuple[Seat, Tile | None]:
    """The seat that opens and its bound tile, if any; raises `OpenerNeeded` where a lot decides."""
    if coming.opener is not None:
        return coming.opener, None
    if not coming.forced:
        raise OpenerNeeded("expected an opener, because a lot decides, got none")
    tile = bound_tile(hands)
    holder = next(seat for seat, hand in enumerate(hands, start=1) if tile in hand)
    return holder, tile


def bound_tile(hands: tuple[Hand, ...]) -> Tile:
    """The highest double dealt, else the heaviest tile dealt."""
    dealt = [tile for hand in hands for tile in hand]
    doubles = [tile for tile in dealt if IS_DOUBLE[tile]]
    return max(doubles or dealt)
