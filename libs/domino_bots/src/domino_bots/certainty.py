"""Choosing where every tile is known: a deeper and deeper search of the one world."""

from __future__ import annotations

from typing import Final

from domino_bots.budget import Budget
from domino_bots.candidates import Candidate, leader, played
from domino_bots.chances import chance
from domino_bots.game import Game, Position
from domino_bots.search import Search

DEPTHS: Final = (2, 4, 6, 9, 12, 16, 60)
"""How many plays each search looks ahead; the last is more than a round can have."""


def best_when_known(game: Game, world: Position, candidates: list[Candidate], budget: Budget) -> Candidate:
    """The candidate that the deepest search within the budget likes best: exactly the best once a search is exact."""
    best = candidates[0]
    side = game.side_of[world.to_move]
    for depth in DEPTHS:
        search = Search(game, side, budget)
        alpha = -1.0
        for candidate in candidates:
            position, ended = played(game, world, candidate)
            value = chance(game, side, position.gains) if ended else search.value(position, depth, alpha, 2.0)
            candidate.total = value  # at or below alpha only a bound: no better than an earlier candidate
            alpha = max(alpha, value)
        if budget.plies_left <= 0:
            break
        best = leader(candidates)
        if search.is_exact:
            break
        candidates = [best, *[candidate for candidate in candidates if candidate is not best]]
    return best
