"""A refusal is an answer: a stable code and a sentence that says what was expected and what came."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why an action was not taken."""

    UNKNOWN_ACTION = "unknown-action"
    """It does not parse, names no seat of this match, or is nothing that this ruleset knows."""
    MATCH_OVER = "match-over"
    """The match has ended."""
    ROUND_OVER = "round-over"
    """The round has ended and the next is not dealt yet."""
    NOT_YOUR_TURN = "not-your-turn"
    """Another seat is to move."""
    MUST_OPEN_WITH = "must-open-with"
    """The opening tile is bound."""
    TILE_NOT_IN_HAND = "tile-not-in-hand"
    """The seat does not hold that tile."""
    END_NOT_OPEN = "end-not-open"
    """There is no such end now."""
    DOES_NOT_FIT = "does-not-fit"
    """The tile has not the number of that end, or of any."""
    END_NEEDED = "end-needed"
    """The tile fits several ends and none was named."""
    MUST_PLAY = "must-play"
    """A seat that can play must play."""
    MUST_DRAW = "must-draw"
    """A seat that can draw may not pass."""
    CANNOT_DRAW = "cannot-draw"
    """Nothing may be drawn now."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first reason that applied, with what was expected and what came."""

    reason: StrEnum
    expected: str
    got: str

    @property
    def message(self) -> str:
        """The sentence for people."""
        return f"expected {self.expected}, got {self.got}"
