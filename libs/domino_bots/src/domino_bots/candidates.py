"""The plays that a seat chooses from, and what each leaves in a world."""

from __future__ import annotations

from domino_bots.ending import ends_with
from domino_bots.game import Game, Position
from domino_bots.knowledge import Knowledge
from domino_bots.seat_view import SeatView
from domino_rules.actions import PlayTile


class Candidate:
    """One play to choose from, and how it did."""

    def __init__(self, action: PlayTile, layout: int) -> None:
        self.action = action
        self.layout = layout
        """The number of the layout that it leaves."""
        self.chances: list[float] = []
        """By world, the chance to win the match after it."""
        self.total: float = 0.0
        """What to compare candidates by; greater is better."""


def candidates_of(view: SeatView, knowledge: Knowledge) -> list[Candidate]:
    """The legal plays without those that leave the same as an earlier one; none for a draw or pass."""
    found: list[Candidate] = []
    for action in view.legal:
        if isinstance(action, PlayTile) and action.end is not None:
            layout = knowledge.line.after(action.tile, action.end)
            if not any(other.action.tile == action.tile and other.layout == layout for other in found):
                found.append(Candidate(action, layout))
    return found


def leader(candidates: list[Candidate]) -> Candidate:
    """The candidate with the greatest total, the first of equals."""
    best = candidates[0]
    for candidate in candidates:
        if candidate.total > best.total:
            best = candidate
    return best


def played(game: Game, world: Position, candidate: Candidate) -> tuple[Position, bool]:
    """The world after the candidate's play, and whether the round has ended with it."""
    position = world.copy()
    return position, ends_with(game, position, candidate.action.tile, candidate.layout)
