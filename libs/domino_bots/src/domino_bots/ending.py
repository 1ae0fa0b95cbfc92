"""When a round ends, and what its end scores, on sets of tiles."""

from __future__ import annotations

from domino_bots.game import Game, Position
from domino_bots.tile_sets import pips_of


def ends_with(game: Game, position: Position, tile: int, after: int) -> bool:
    """The seat to move lays a tile, which leaves the layout `after`; whether the round ends with it, then scored."""
    seat = position.to_move
    if position.lay(game, tile, after):
        return True
    if position.hands[seat]:
        return False
    score_out(game, position, seat)
    return True


def score_out(game: Game, position: Position, seat: int) -> None:
    """Adds what the seat gains that laid its last tile: the pips of all opposing hands."""
    side = game.side_of[seat]
    points = 0
    for other in range(game.seats):
        if game.side_of[other] != side:
            points += pips_of(position.hands[other])
    position.gains[side] += _counted(game, points)


def score_blocked(game: Game, position: Position) -> None:
    """Adds what the side gains that alone has the fewest pips."""
    by_side = [0] * game.sides
    for seat in range(game.seats):
        by_side[game.side_of[seat]] += pips_of(position.hands[seat])
    lowest = min(by_side)
    if by_side.count(lowest) > 1:
        return
    points = sum(by_side) - (2 * lowest if game.minus_own else lowest)
    position.gains[by_side.index(lowest)] += _counted(game, points)


def _counted(game: Game, points: int) -> int:
    return 5 * ((points + 2) // 5) if game.fives else points
