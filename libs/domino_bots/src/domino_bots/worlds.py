"""Dealing the hidden tiles at random as they may lie, given all that a seat knows."""

from __future__ import annotations

from random import Random
from typing import Final

from domino_bots.budget import Budget
from domino_bots.game import Game, Position
from domino_bots.knowledge import Knowledge, Lot
from domino_bots.tile_sets import tiles_of

TRIES_MAX: Final = 8
TRY_PLIES: Final = 5
"""The work of a try to deal a world, in plies of a playout; half a ply for each hidden tile comes to it."""
PATH_PLIES: Final = 3
"""The work of a step of an augmenting path, in the same."""


class Worlds:
    """All ways in which the hidden tiles may lie, to take samples from.

    `boneyard` is how many tiles lie there (or aside).
    """

    def __init__(self, game: Game, knowledge: Knowledge, boneyard: int) -> None:
        self._game = game
        self._knowledge = knowledge
        self._boneyard = boneyard
        self._lacks: list[int] = [knowledge.lacks(seat) for seat in range(game.seats)]
        lots: list[tuple[int, int, Lot]] = []
        for seat in range(game.seats):
            if seat != knowledge.seat:
                for lot in knowledge.lots[seat]:
                    if lot.count:
                        lots.append((knowledge.can_hold(lot).bit_count(), seat, lot))
        lots.sort(key=_how_free)
        self._seats: list[int] = [seat for _, seat, _ in lots]
        self._counts: list[int] = [lot.count for _, _, lot in lots]
        self._odds: list[list[float]] = [lot.odds for _, _, lot in lots]
        self._allowed: list[int] = [knowledge.can_hold(lot) for _, _, lot in lots]

    @property
    def is_certain(self) -> bool:
        """Whether there is one world only: nothing in the boneyard, and all hidden tiles in one hand."""
        return self._boneyard == 0 and self._game.seats == 2

    def sample(self, randomness: Random, budget: Budget) -> Position:
        """One world, the same seat to move. Uniform where lots of one hand are all that is hidden.

        Its work is taken from the budget, but there always is a world.
        """
        knowledge, hands, left = self._knowledge, [0] * self._game.seats, 0
        for _ in range(TRIES_MAX):
            budget.spend(TRY_PLIES + knowledge.hidden.bit_count() // 2)
            left = self._deal(hands, randomness)
            if left >= 0:
                break
        else:
            left = self._deal_anyhow(hands, randomness, budget)
        hands[knowledge.seat] = knowledge.hand
        boneyard = tiles_of(left)
        _shuffle(boneyard, len(boneyard), randomness)
        del boneyard[self._boneyard :]
        return Position(
            hands,
            self._lacks,
            boneyard,
            knowledge.hidden | knowledge.hand,
            knowledge.line.layout,
            knowledge.seat,
            knowledge.passes_in_a_row,
            self._game.sides,
        )

    def _deal(self, hands: list[int], randomness: Random) -> int:
        """Fills the hands, the most bound lots first; the set of tiles that are left, or -1 when a lot stays short."""
        left = self._knowledge.hidden
        for seat in range(len(hands)):
            hands[seat] = 0
        for lot in range(len(self._seats)):
            free = tiles_of(self._allowed[lot] & left)
            count = self._counts[lot]
            if len(free) < count:
                return -1
            taken = _pick(free, self._odds[lot], count, randomness)
            left ^= taken
            hands[self._seats[lot]] |= taken
        return left

    def _deal_anyhow(self, hands: list[int], randomness: Random, budget: Budget) -> int:
        """A world by augmenting paths, which finds one whenever there is one; else the counts alone are kept."""
        slots = [lot for lot, count in enumerate(self._counts) for _ in range(count)]
        holder: dict[int, int] = {}
        tiles = tiles_of(self._knowledge.hidden)
        _shuffle(tiles, len(tiles), randomness)
        short: list[int] = []
        for slot in range(len(slots)):
            seen: set[int] = set()
            if not self._place(slot, slots, tiles, holder, seen):
                short.append(slot)
            budget.spend(PATH_PLIES * (1 + len(seen)))
        rest = [tile for tile in tiles if tile not in holder]
        for slot in short[: len(rest)]:
            holder[rest.pop()] = slot
        left = self._knowledge.hidden
        for seat in range(len(hands)):
            hands[seat] = 0
        for tile, slot in holder.items():
            hands[self._seats[slots[slot]]] |= 1 << tile
            left ^= 1 << tile
        return left

    def _place(self, slot: int, slots: list[int], tiles: list[int], holder: dict[int, int], seen: set[int]) -> bool:
        for tile in tiles:
            if tile in seen or not self._allowed[slots[slot]] >> tile & 1:
                continue
            seen.add(tile)
            if tile not in holder or self._place(holder[tile], slots, tiles, holder, seen):
                holder[tile] = slot
                return True
        return False


def _how_free(lot: tuple[int, int, Lot]) -> int:
    return lot[0]


def _pick(free: list[int], odds: list[float], count: int, randomness: Random) -> int:
    """The set of `count` of the free tiles, one after the other by their odds."""
    weights = [odds[tile] for tile in free]
    total, taken, random = sum(weights), 0, randomness.random
    for _ in range(count):
        point, at = random() * total, 0
        while at + 1 < len(free) and point >= weights[at]:
            point -= weights[at]
            at += 1
        while taken >> free[at] & 1:  # rounding may end on a tile that is gone
            at -= 1
        taken |= 1 << free[at]
        total -= weights[at]
        weights[at] = 0.0
    return taken


def _shuffle(tiles: list[int], count: int, randomness: Random) -> None:
    """The first `count` places get tiles by chance."""
    random, length = randomness.random, len(tiles)
    for at in range(count):
        other = at + int(random() * (length - at))
        tiles[at], tiles[other] = tiles[other], tiles[at]
