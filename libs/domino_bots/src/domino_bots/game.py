"""A round as a search sees it: the ruleset as plain numbers, and one position. Seats count from 0 here."""

from __future__ import annotations

from domino_bots.layouts import FIVES
from domino_rules.ruleset import Ruleset


class Game:
    """What of a ruleset and of the match's score matters until the round ends."""

    def __init__(self, ruleset: Ruleset, scores: tuple[int, ...], round_number: int) -> None:
        self.seats: int = ruleset.seats
        self.sides: int = len(ruleset.sides)
        self.side_of: list[int] = [ruleset.side_of(seat + 1) for seat in range(ruleset.seats)]
        self.fives: bool = ruleset.fives
        self.four_ends: bool = ruleset.spinner
        self.ply_work: int = 2 if ruleset.spinner else 1
        """The work of a ply of a playout: with four ends every tile has twice the places."""
        self.reserve: int = ruleset.boneyard_reserve if ruleset.drawing else 28
        self.stops_on_dead_end: bool = ruleset.stop_on_dead_end
        self.minus_own: bool = ruleset.blocked == "minus-own" and not ruleset.pairs
        self.target: int = ruleset.target
        self.scores: list[int] = list(scores)
        cap = ruleset.round_cap
        self.rounds_after: int = 1000 if cap is None else max(0, cap - round_number)
        """How many rounds can still follow this one."""


class Position:
    """One moment of a round with every tile known. Changed in place by whoever plays it on."""

    def __init__(
        self,
        hands: list[int],
        lacks: list[int],
        boneyard: list[int],
        unlaid: int,
        layout: int,
        to_move: int,
        passes: int,
        sides: int,
    ) -> None:
        self.hands = hands
        """Sets of tiles by seat."""
        self.lacks = lacks
        """By seat, the set of numbers that everybody knows it holds none of."""
        self.boneyard = boneyard
        """What is left to draw; the next one is the last of the list."""
        self.unlaid = unlaid
        """All tiles that are not on the layout; not kept up while `play_out` runs."""
        self.layout = layout
        self.to_move = to_move
        self.passes = passes
        """Passes in a row."""
        self.gains: list[int] = [0] * sides
        """Points won in this round since the decision, by side."""

    def copy(self) -> Position:
        """The same moment, to be played on apart from this one."""
        twin = Position(
            self.hands.copy(),
            self.lacks.copy(),
            self.boneyard.copy(),
            self.unlaid,
            self.layout,
            self.to_move,
            self.passes,
            len(self.gains),
        )
        twin.gains = self.gains.copy()
        return twin

    def lay(self, game: Game, tile: int, after: int) -> bool:
        """The seat to move lays a tile, which leaves the layout `after`; whether its points reach the target."""
        seat, bit = self.to_move, 1 << tile
        self.hands[seat] ^= bit
        self.unlaid ^= bit
        self.layout, self.passes = after, 0
        self.to_move = seat + 1 if seat + 1 < game.seats else 0
        side, points = game.side_of[seat], FIVES[after] if game.fives else 0
        self.gains[side] += points
        return points > 0 and game.scores[side] + self.gains[side] >= game.target

    def held(self) -> int:
        """How many tiles are in all hands."""
        count = 0
        for hand in self.hands:
            count += hand.bit_count()
        return count

    def unlaid_fits(self, fits: int) -> bool:
        """Whether one of these tiles is in a hand or in the boneyard."""
        held = 0
        for hand in self.hands:
            held |= hand
        for tile in self.boneyard:
            held |= 1 << tile
        return held & fits != 0
