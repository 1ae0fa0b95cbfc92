"""Alpha-beta over one world, every tile known: exact where the round's end is in reach, else with playouts as leaves.

The seat's side takes the best of its plays and everybody else the worst of theirs for it: exact for two sides, careful
for more. (Alpha-beta: Knuth and Moore, 1975.)
"""

from __future__ import annotations

from typing import Final

from domino_bots.budget import Budget
from domino_bots.chances import chance
from domino_bots.ending import ends_with, score_blocked
from domino_bots.game import Game, Position
from domino_bots.layouts import FITS, FIVES, FOLLOWING
from domino_bots.playout import POINT, SHED, draw, play_out

NODE_PLIES: Final = 3
"""The work of a node, in plies of a playout."""


class Search:
    """A search for one side. `is_exact` says whether every line so far ended with the round."""

    def __init__(self, game: Game, side: int, budget: Budget) -> None:
        self.is_exact: bool = True
        self._game = game
        self._side = side
        self._budget = budget

    def value(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The side's chance to win the match, within `alpha` and `beta`; `depth` plays are looked ahead.

        Once the budget is spent the values are worth nothing.
        """
        game, seat, layout = self._game, position.to_move, position.layout
        if not self._budget.spend(NODE_PLIES):
            self.is_exact = False
            return chance(game, self._side, position.gains)
        fits = position.hands[seat] & FITS[layout]
        if not fits:
            return self._idle(position, depth, alpha, beta)
        if depth <= 0:
            self.is_exact = False
            return self._leaf(position)
        maximising = game.side_of[seat] == self._side
        best = -1.0 if maximising else 2.0
        for tile, after in _plays(fits, FOLLOWING[layout], game.fives):
            found = self._after(position, tile, after, depth, alpha, beta)
            if maximising:
                best = max(best, found)
                alpha = max(alpha, best)
            else:
                best = min(best, found)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def _after(self, position: Position, tile: int, after: int, depth: int, alpha: float, beta: float) -> float:
        """The value of one play."""
        trial = position.copy()
        if ends_with(self._game, trial, tile, after):
            return self._ended(trial)
        return self.value(trial, depth - 1, alpha, beta)

    def _idle(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The value where nothing fits: a draw that finds a tile, or a pass."""
        game, trial = self._game, position.copy()
        if draw(game, trial, trial.to_move, trial.layout):
            return self.value(trial, depth, alpha, beta)
        trial.passes += 1
        if trial.passes >= game.seats:
            score_blocked(game, trial)
            return self._ended(trial)
        trial.to_move = trial.to_move + 1 if trial.to_move + 1 < game.seats else 0
        return self.value(trial, depth, alpha, beta)

    def _ended(self, position: Position) -> float:
        self._budget.spend(NODE_PLIES)
        return chance(self._game, self._side, position.gains)

    def _leaf(self, position: Position) -> float:
        trial = position.copy()
        self._budget.spend(self._game.ply_work * play_out(self._game, trial))
        return chance(self._game, self._side, trial.gains)


def _plays(fits: int, rows: list[tuple[int, ...]], fives: bool) -> list[tuple[int, int]]:
    """Tiles with the layouts they leave, what looks best first, so that more is cut off."""
    found: list[tuple[int, int, int]] = []
    while fits:
        lowest = fits & -fits
        fits ^= lowest
        tile = lowest.bit_length() - 1
        for after in rows[tile]:
            found.append((SHED[tile] + (POINT * FIVES[after] if fives else 0), tile, after))
    if len(found) > 1:
        found.sort(reverse=True)
    return [(tile, after) for _, tile, after in found]
