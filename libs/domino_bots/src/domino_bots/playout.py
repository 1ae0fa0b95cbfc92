"""Playing a round to its end by rule of thumb, each seat by what it can see: the inner loop of the expert."""

from __future__ import annotations

from typing import Final

from domino_bots.ending import score_blocked, score_out
from domino_bots.game import Game, Position
from domino_bots.layouts import FITS, FIVES, FOLLOWING, NUMBERS
from domino_bots.tile_sets import DOUBLES, WITH_NUMBERS
from domino_rules.tiles import PIPS

PIP: Final = 3
DOUBLE: Final = 6
KEPT_OPEN: Final = 4
ANSWER: Final = 18
NO_ANSWER: Final = 20
POINT: Final = 10
SHED: Final[list[int]] = [PIP * PIPS[tile] + (DOUBLE if DOUBLES >> tile & 1 else 0) for tile in range(28)]
WORST: Final = -1_000_000


def play_out(game: Game, position: Position) -> int:
    """Plays the position to the end of its round; `position.gains` has the points then. The plies it took."""
    # One long function: every call would cost as much as the work of a ply.
    hands, lacks, layout, unlaid = position.hands, position.lacks, position.layout, position.unlaid
    seat, passes, plies, seats = position.to_move, position.passes, 0, game.seats
    fives = game.fives
    while True:
        plies += 1
        following_seat = seat + 1 if seat + 1 < seats else 0
        hand = hands[seat]
        fits = hand & FITS[layout]
        if not fits:
            fits = draw(game, position, seat, layout)
            hand = hands[seat]
            if not fits:
                passes += 1
                if passes >= seats:
                    score_blocked(game, position)
                    return plies
                seat = following_seat
                continue
        passes = 0
        rows = FOLLOWING[layout]
        answers = unlaid & ~hand & ~WITH_NUMBERS[lacks[following_seat]]
        best = WORST
        chosen = after = 0
        while fits:
            lowest = fits & -fits
            fits ^= lowest
            tile = lowest.bit_length() - 1
            for next_layout in rows[tile]:
                next_fits = FITS[next_layout]
                worth = SHED[tile] + KEPT_OPEN * ((hand ^ lowest) & next_fits).bit_count()
                possible = answers & next_fits
                worth += NO_ANSWER if not possible else -ANSWER * possible.bit_count()
                if fives:
                    worth += POINT * FIVES[next_layout]
                if worth > best:
                    best, chosen, after = worth, lowest, next_layout
        layout = after
        hands[seat] = hand ^ chosen
        unlaid ^= chosen
        if fives and FIVES[layout]:
            side = game.side_of[seat]
            position.gains[side] += FIVES[layout]
            if game.scores[side] + position.gains[side] >= game.target:
                return plies
        if hand == chosen:
            score_out(game, position, seat)
            return plies
        seat = following_seat


def draw(game: Game, position: Position, seat: int, layout: int) -> int:
    """Draws as the rules say for a seat without a fitting tile; the tiles of its hand that fit then.

    Everybody sees that it lacked the open numbers, and that what it drew before the last tile lacks them too.
    """
    boneyard, fits, numbers = position.boneyard, FITS[layout], NUMBERS[layout]
    if len(boneyard) <= game.reserve or (game.stops_on_dead_end and not position.unlaid_fits(fits)):
        position.lacks[seat] |= numbers
        return 0
    drawn, hand = 0, position.hands[seat]
    while len(boneyard) > game.reserve and not drawn & fits:
        drawn = 1 << boneyard.pop()
        hand |= drawn
    before = position.hands[seat]
    position.hands[seat] = hand
    if drawn & fits and hand == before | drawn:
        position.lacks[seat] |= numbers
    else:
        position.lacks[seat] = numbers
    return drawn & fits


def worth(game: Game, rest: int, answers: int, tile: int, layout: int) -> int:
    """How good the rule of thumb of `play_out` finds one play.

    `rest` are the tiles that the seat keeps, `answers` those that the next seat may have.
    """
    fits = FITS[layout]
    found = SHED[tile] + KEPT_OPEN * (rest & fits).bit_count()
    possible = answers & fits
    found += NO_ANSWER if not possible else -ANSWER * possible.bit_count()
    return found + POINT * FIVES[layout] if game.fives else found
