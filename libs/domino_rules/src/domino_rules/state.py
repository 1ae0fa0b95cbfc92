"""The state of a match: plain values, replaced and never changed."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from domino_rules.events import MatchEnded, RoundEnded, Scores
from domino_rules.layout import Layout
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.tiles import Hand, Number, Tile, TileSet, set_of
from domino_rules.value import Value

Passes: TypeAlias = tuple[tuple[Seat, tuple[Number, ...]], ...]
"""Every pass of the round with the numbers that were open."""
Draws: TypeAlias = tuple[tuple[Seat, int, tuple[Number, ...], int], ...]
"""Every draw of the round: the seat, how many tiles, the numbers that were open, and how many plays lay then."""


class Round(Value):
    """One deal in progress or just ended.

    What a seat holds is a set, and so is what fits an end: whether it can play is one intersection. A play changes but
    one number, the set of all tiles that lie; the order in which tiles came to a seat is kept beside, in `dealt`.
    """

    __slots__ = (
        "boneyard",
        "dealt",
        "draws",
        "forced_tile",
        "had",
        "laid",
        "layout",
        "opener",
        "passes",
        "passes_in_a_row",
        "to_move",
    )
    __match_args__ = (
        "hands",
        "boneyard",
        "layout",
        "to_move",
        "opener",
        "forced_tile",
        "passes_in_a_row",
        "passes",
        "draws",
    )

    def __init__(
        self,
        dealt: tuple[Hand, ...],
        had: tuple[TileSet, ...],
        laid: TileSet,
        boneyard: Hand,
        layout: Layout,
        to_move: Seat,
        opener: Seat,
        forced_tile: Tile | None,
        passes_in_a_row: int,
        passes: Passes,
        draws: Draws,
    ) -> None:
        self.dealt: Final = dealt
        """By seat: all tiles that came to it, drawn ones appended."""
        self.had: Final = had
        """The same as sets."""
        self.laid: Final = laid
        """The tiles of the layout."""
        self.boneyard: Final = boneyard
        self.layout: Final = layout
        self.to_move: Final = to_move
        """Whose turn it is; after the end whose it would be."""
        self.opener: Final = opener
        self.forced_tile: Final = forced_tile
        """The tile that the opener must open with, while nothing lies."""
        self.passes_in_a_row: Final = passes_in_a_row
        self.passes: Final = passes
        self.draws: Final = draws

    def held(self, seat: Seat) -> TileSet:
        """The tiles in the seat's hand."""
        return self.had[seat - 1] & ~self.laid

    @property
    def hands(self) -> tuple[Hand, ...]:
        """By seat: the tiles that it holds, in deal order, drawn ones appended."""
        return tuple([tuple([tile for tile in dealt if not self.laid >> tile & 1]) for dealt in self.dealt])


def position(
    hands: tuple[Hand, ...],
    boneyard: Hand,
    layout: Layout,
    to_move: Seat,
    opener: Seat,
    forced_tile: Tile | None = None,
    passes_in_a_row: int = 0,
    passes: Passes = (),
    draws: Draws = (),
) -> Round:
    """A round in which the seats hold these hands."""
    had = tuple([set_of(hand) for hand in hands])
    laid = set_of([play.tile for play in layout.plays])
    return Round(hands, had, laid, boneyard, layout, to_move, opener, forced_tile, passes_in_a_row, passes, draws)


class Match(Value):
    """Rounds until a side reaches the target."""

    __slots__ = (
        "match_ended",
        "next_forced",
        "next_opener",
        "round",
        "round_ended",
        "round_number",
        "ruleset",
        "scores",
    )
    __match_args__ = (
        "ruleset",
        "scores",
        "round_number",
        "round",
        "next_opener",
        "next_forced",
        "round_ended",
        "match_ended",
    )

    def __init__(
        self,
        ruleset: Ruleset,
        scores: Scores,
        round_number: int,
        round: Round | None,
        next_opener: Seat | None,
        next_forced: bool,
        round_ended: RoundEnded | None,
        match_ended: MatchEnded | None,
    ) -> None:
        self.ruleset: Final = ruleset
        self.scores: Final = scores
        self.round_number: Final = round_number
        """The round in progress or last ended; 0 before the first deal."""
        self.round: Final = round
        self.next_opener: Final = next_opener
        self.next_forced: Final = next_forced
        self.round_ended: Final = round_ended
        """How the last dealt round ended; none while it is played, or when the match ended in its middle."""
        self.match_ended: Final = match_ended

    @property
    def status(self) -> Literal["playing", "round-ended", "match-ended"]:
        """`round-ended` also before the first deal: a deal is what is waited for."""
        if self.match_ended is not None:
            return "match-ended"
        if self.round is None or self.round_ended is not None:
            return "round-ended"
        return "playing"

    @property
    def lot_decides(self) -> bool:
        """Whether a deal is waited for whose opener a lot decides."""
        return self.status == "round-ended" and self.next_opener is None and not self.next_forced

    @property
    def playing(self) -> Round | None:
        """The round in progress, or none."""
        return self.round if self.round_ended is None and self.match_ended is None else None
