"""The chance to win the match with some scores after a round: what the expert maximises instead of points."""

from __future__ import annotations

from math import erf, sqrt

from domino_bots.game import Game

SPREAD_PER_POINT = 25.0
"""Variance of the difference of two scores for each point that is still to be won."""
SPREAD_PER_ROUND = 800.0
"""The same for each round that may still be played."""


def chance(game: Game, side: int, gains: list[int]) -> float:
    """Between 0 and 1; the chance of the side against the best of the others once the gains are added."""
    mine = game.scores[side] + gains[side]
    theirs = -1
    for other in range(game.sides):
        if other != side and game.scores[other] + gains[other] > theirs:
            theirs = game.scores[other] + gains[other]
    if mine >= game.target:
        return 1.0
    if theirs >= game.target:
        return 0.0
    to_come = SPREAD_PER_POINT * (2 * game.target - mine - theirs)
    spread = min(to_come, SPREAD_PER_ROUND * game.rounds_after)
    if spread <= 0.0:
        return 0.5 + 0.5 * ((mine > theirs) - (mine < theirs))
    return 0.5 + 0.5 * erf((mine - theirs) / sqrt(2.0 * spread))
