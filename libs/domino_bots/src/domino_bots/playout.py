"""Playing a round to its end by rule of thumb, each seat by its own hand alone: the inner loop of the expert."""

from __future__ import annotations

from typing import Final

from domino_bots.ending import score_blocked, score_out
from domino_bots.game import Game, Position
from domino_bots.layouts import FITS, FIVES, FOLLOWING, following
from domino_bots.tile_sets import DOUBLES
from domino_rules.tiles import PIPS

PIP: Final = 2
DOUBLE: Final = 6
KEPT_OPEN: Final = 6
POINT: Final = 4
SHED: Final[list[int]] = [PIP * PIPS[tile] + (DOUBLE if DOUBLES >> tile & 1 else 0) for tile in range(28)]


def play_out(game: Game, position: Position) -> int:
    """Plays the position to the end of its round; `position.gains` has the points then. The plies it took."""
    hands, layout = position.hands, position.layout
    seat, passes, plies, seats = position.to_move, position.passes, 0, game.seats
    while True:
        plies += 1
        hand = hands[seat]
        fits = hand & FITS[layout]
        if not fits:
            hand, fits = draw(game, position, seat, layout)
            if not fits:
                passes += 1
                if passes >= seats:
                    score_blocked(game, position)
                    return plies
                seat = seat + 1 if seat + 1 < seats else 0
                continue
        passes = 0
        rows = FOLLOWING[layout] or following(layout)
        best = -1
        chosen = after = 0
        while fits:
            lowest = fits & -fits
            fits ^= lowest
            tile = lowest.bit_length() - 1
            rest = hand ^ lowest
            shed = SHED[tile]
            for next_layout in rows[tile]:
                worth = shed + KEPT_OPEN * (rest & FITS[next_layout]).bit_count()
                if game.fives:
                    worth += POINT * FIVES[next_layout]
                if worth > best:
                    best, chosen, after = worth, lowest, next_layout
        layout = after
        hands[seat] = hand ^ chosen
        if game.fives and FIVES[layout]:
            side = game.side_of[seat]
            position.gains[side] += FIVES[layout]
            if game.scores[side] + position.gains[side] >= game.target:
                return plies
        if hand == chosen:
            score_out(game, position, seat)
            return plies
        seat = seat + 1 if seat + 1 < seats else 0


def draw(game: Game, position: Position, seat: int, layout: int) -> tuple[int, int]:
    """Draws as the rules say for a seat without a fitting tile: its hand then, and the tiles of it that fit."""
    boneyard, hands = position.boneyard, position.hands
    hand = hands[seat]
    fits = FITS[layout]
    if len(boneyard) <= game.reserve or (game.stops_on_dead_end and _is_dead_end(position, fits)):
        return hand, 0
    while len(boneyard) > game.reserve:
        drawn = 1 << boneyard.pop()
        hand |= drawn
        if drawn & fits:
            break
    hands[seat] = hand
    return hand, hand & fits


def _is_dead_end(position: Position, fits: int) -> bool:
    left = 0
    for hand in position.hands:
        left |= hand
    for tile in position.boneyard:
        left |= 1 << tile
    return not left & fits
