"""The state of a match: plain values, replaced and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from domino_rules.events import MatchEnded, RoundEnded, Scores
from domino_rules.layout import Layout
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.tiles import Hand, Number, Tile


@dataclass(frozen=True, slots=True)
class Round:
    """One deal in progress or just ended."""

    hands: tuple[Hand, ...]
    boneyard: Hand
    layout: Layout
    to_move: Seat
    """Whose turn it is; after the end whose it would be."""
    opener: Seat
    forced_tile: Tile | None
    """The tile that the opener must open with, while nothing lies."""
    passes_in_a_row: int
    passes: tuple[tuple[Seat, tuple[Number, ...]], ...]
    """Every pass of the round with the numbers that were open."""


@dataclass(frozen=True, slots=True)
class Match:
    """Rounds until a side reaches the target."""

    ruleset: Ruleset
    scores: Scores
    round_number: int
    """The round in progress or last ended; 0 before the first deal."""
    round: Round | None
    next_opener: Seat | None
    next_forced: bool
    round_ended: RoundEnded | None
    """How the last dealt round ended; none while it is played, or when the match ended in its middle."""
    match_ended: MatchEnded | None

    @property
    def status(self) -> Literal["playing", "round-ended", "match-ended"]:
        """`round-ended` also before the first deal: a deal is what is waited for."""
        if self.match_ended is not None:
            return "match-ended"
        if self.round is None or self.round_ended is not None:
            return "round-ended"
        return "playing"

    @property
    def playing(self) -> Round | None:
        """The round in progress, or none."""
        return self.round if self.round_ended is None and self.match_ended is None else None
