"""What a seat can know of the hidden tiles: which numbers others showed that they lack, and since when.

Whoever passes or draws holds none of the open numbers. What is drawn before a tile fits does not fit either. Tiles
that come later may have those numbers, so a hand is known as *lots*: tiles that came together, with the numbers that
none of them can have.
"""

from __future__ import annotations

from domino_bots.choices import Choice
from domino_bots.layouts import NUMBERS
from domino_bots.seat_view import DrawnTiles, SeatView
from domino_bots.table_line import Line
from domino_bots.tile_sets import ALL_TILES, WITH_NUMBERS
from domino_rules.tiles import HIGH, LOW, set_of


class Lot:
    """Tiles of one hand that came together and are still hidden."""

    def __init__(self, count: int, lacks: int) -> None:
        self.count = count
        self.lacks = lacks
        """The numbers that none of them has, as a set."""
        self.odds: list[float] = [1.0] * 28
        """By tile, how much likelier than elsewhere it is here, by what was played instead."""


class Knowledge:
    """What the seat of a view knows. Seats count from 0."""

    def __init__(self, view: SeatView, reads_choices: bool = False) -> None:
        self.seat: int = view.seat - 1
        self.hand: int = set_of(view.hand)
        self.line: Line = Line(view.ruleset.spinner)
        self.passes_in_a_row: int = 0
        self.lots: list[list[Lot]] = _first_lots(view)
        """By seat, oldest lot first; the own ones say nothing that the hand does not."""
        laid = set_of([play.tile for play in view.plays])
        self.hidden: int = ALL_TILES & ~laid & ~self.hand
        """All tiles that the seat does not see."""
        self._reads_choices = reads_choices
        self._fives: bool = view.ruleset.fives
        self._follow(view)

    def lacks(self, seat: int) -> int:
        """The set of numbers that the seat certainly holds none of."""
        common = 127
        for lot in self.lots[seat]:
            if lot.count:
                common &= lot.lacks
        return common

    def can_hold(self, lot: Lot) -> int:
        """The hidden tiles that can be of the lot."""
        return self.hidden & ~WITH_NUMBERS[lot.lacks]

    def _follow(self, view: SeatView) -> None:
        """Goes through the round turn by turn: who could play did, and whose play is not next has passed."""
        seats = len(view.tiles)
        to_move, waiting = view.opener - 1, list(view.draws)
        for laid, play in enumerate(view.plays):
            while to_move != play.seat - 1:
                self._idle(to_move, waiting, laid)
                to_move = (to_move + 1) % seats
            before = self.line.layout
            drew = self._draw(to_move, waiting, laid)
            self._take_from_lots(to_move, play.tile, drew)
            self.line.lay(play.tile, play.end)
            if self._reads_choices and laid and not drew and to_move != self.seat:
                self._weigh(to_move, before, play.tile)
            self.passes_in_a_row = 0
            to_move = (to_move + 1) % seats
        while to_move != self.seat:
            self._idle(to_move, waiting, len(view.plays))
            to_move = (to_move + 1) % seats

    def _weigh(self, seat: int, layout: int, tile: int) -> None:
        following = (seat + 1) % len(self.lots)
        choice = Choice(layout, tile, self.line.layout, self.lacks(following), self._fives)
        for lot in self.lots[seat]:
            choice.weigh(lot.odds, self.hidden)

    def _idle(self, seat: int, waiting: list[DrawnTiles], laid: int) -> None:
        """A turn without a play: the seat drew what was left, if anything, and passed."""
        self._draw(seat, waiting, laid)
        self._exclude(seat, NUMBERS[self.line.layout])
        self.passes_in_a_row += 1

    def _draw(self, seat: int, waiting: list[DrawnTiles], laid: int) -> bool:
        if not waiting or waiting[0].seat - 1 != seat or waiting[0].plays != laid:
            return False
        drawn = waiting.pop(0)
        numbers = NUMBERS[self.line.layout]
        self._exclude(seat, numbers)
        if drawn.taken > 1:
            self.lots[seat].append(Lot(drawn.taken - 1, numbers))
        self.lots[seat].append(Lot(1, 0))
        return True

    def _exclude(self, seat: int, numbers: int) -> None:
        for lot in self.lots[seat]:
            lot.lacks |= numbers

    def _take_from_lots(self, seat: int, tile: int, drew: bool) -> None:
        """A play uncovers one tile of a lot that can have had it.

        After a draw that is the last tile drawn. Else the oldest such lot gives it: whatever is true, the lots that
        remain then exclude no more than they may.
        """
        lots = self.lots[seat]
        if drew:
            lots.pop()
            return
        halves = 1 << HIGH[tile] | 1 << LOW[tile]
        for lot in lots:
            if lot.count and not lot.lacks & halves:
                lot.count -= 1
                return


def _first_lots(view: SeatView) -> list[list[Lot]]:
    """Every seat's first tiles, and with them whatever it drew without this view knowing when."""
    counts = list(view.tiles)
    for play in view.plays:
        counts[play.seat - 1] += 1
    for drawn in view.draws:
        counts[drawn.seat - 1] -= drawn.taken
    return [[Lot(count, 0)] for count in counts]
