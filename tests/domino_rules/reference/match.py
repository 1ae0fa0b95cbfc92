"""A match in the making: its state, the actions, and the events that come of them."""

from typing import Any

from .layout import Play, Tile, ends_total, heavier_first, is_dead, is_double, open_ends, pips, where_it_fits
from .reading import Deal, Previous, Scenario
from .rules import demand
from .scoring import RoundResult, blocked, gone_out, match_end, seat_after


def tile_text(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def hand_text(tiles: list[Tile]) -> str:
    return " ".join(tile_text(tile) for tile in tiles)


class Match:
    """Changed by its methods; `events` tells all that happened. Raises Malformed where a lot would have to decide."""

    def __init__(self, scenario: Scenario) -> None:
        self.rules = scenario.rules
        self.scores = list(scenario.scores)
        self.round_number = scenario.round_number
        self.further_deals = list(scenario.further_deals)
        self.events: list[dict[str, Any]] = []
        self.status = "playing"
        if scenario.layout:
            self.take_position(scenario)
        else:
            self.deal(scenario.deal, scenario.previous)
        self.do_what_is_forced()

    def clear(self, deal: Deal) -> None:
        self.hands = [list(hand) for hand in deal.hands]
        self.boneyard = list(deal.boneyard)
        self.plays: list[Play] = []
        self.passes_in_a_row = 0
        self.must_open_with: Tile | None = None

    def take_position(self, scenario: Scenario) -> None:
        assert scenario.to_move is not None
        self.clear(scenario.deal)
        self.plays = list(scenario.layout)
        self.to_move: int | None = scenario.to_move
        self.last_player = scenario.to_move - 1 or self.rules.seats
        # Where nobody says who opened: count back from the seat to move as if nobody had passed.
        self.opener = scenario.deal.opener or (scenario.to_move - 1 - len(self.plays)) % self.rules.seats + 1

    def deal(self, deal: Deal, previous: Previous | None) -> None:
        self.clear(deal)
        by_house = self.rules.preset == "duel-draw" and deal.opener is None
        opener = deal.opener if deal.opener or by_house else self.opener_by_right(previous)
        if opener is not None:
            self.opener = self.to_move = opener
            return
        tile = self.opening_tile()
        self.opener = self.to_move = next(seat for seat in self.seats if tile in self.hands[seat - 1])
        if by_house:
            self.play(tile, "start", by_house=True)
        else:
            self.must_open_with = tile

    def opener_by_right(self, previous: Previous | None) -> int | None:
        """Who opens with any tile; None when the tiles decide who opens."""
        if previous is not None and previous.winner is not None:
            return previous.winner
        demand(self.rules.preset != "all-fives", "a lot decides who opens, so opener must be given")
        if previous is not None and self.rules.preset == "party":
            return seat_after(previous.opener, self.rules.seats)
        return None

    def opening_tile(self) -> Tile:
        dealt = [tile for hand in self.hands for tile in hand]
        return heavier_first([tile for tile in dealt if is_double(tile)] or dealt)[0]

    @property
    def seats(self) -> range:
        return range(1, self.rules.seats + 1)

    @property
    def hand(self) -> list[Tile]:
        assert self.to_move is not None
        return self.hands[self.to_move - 1]

    def fits(self, tile: Tile) -> list[str]:
        return where_it_fits(tile, self.plays, self.rules.four_ends)

    def legal_plays(self) -> list[Play]:
        tiles = [self.must_open_with] if self.must_open_with else heavier_first(self.hand)
        return [(tile, end) for tile in tiles for end in self.fits(tile)]

    def can_draw(self) -> bool:
        if not self.rules.drawing or len(self.boneyard) <= self.rules.boneyard_reserve:
            return False
        numbers = open_ends(self.plays, self.rules.four_ends).values()
        return not (self.rules.stop_on_dead_end and all(is_dead(number, self.plays) for number in numbers))

    def legal(self) -> list[str]:
        if self.status != "playing":
            return []
        plays = [f"{tile_text(tile)}@{end}" for tile, end in self.legal_plays()]
        return plays or (["draw"] if self.can_draw() else ["pass"])

    def do_what_is_forced(self) -> None:
        while self.rules.forced_by_themselves and self.status == "playing" and not self.legal_plays():
            if self.can_draw():
                self.draw()
            else:
                self.pass_turn()

    def play(self, tile: Tile, end: str, by_house: bool = False) -> None:
        seat = self.to_move
        assert seat is not None
        self.hand.remove(tile)
        self.plays.append((tile, end))
        self.must_open_with = None
        self.passes_in_a_row = 0
        self.last_player = seat
        total = ends_total(self.plays)
        points = total if self.rules.preset == "all-fives" and total % 5 == 0 else 0
        self.scores[self.rules.side_of(seat)] += points
        self.tell_play(tile, end, total, points, by_house)
        if points and max(self.scores) >= self.rules.target:
            self.end_match("target", self.rules.sides[self.rules.side_of(seat)])
        elif not self.hand:
            self.end_round("out", gone_out(self.rules, self.pips(), seat, self.opener))
        else:
            self.to_move = seat_after(seat, self.rules.seats)

    def tell_play(self, tile: Tile, end: str, total: int, points: int, by_house: bool) -> None:
        ends = open_ends(self.plays, self.rules.four_ends)
        event: dict[str, Any] = {
            "type": "tile-played",
            "seat": self.to_move,
            "tile": tile_text(tile),
            "end": end,
            "ends": ends,
        }
        event |= {"ends_total": total, "points": points, "scores": list(self.scores)}
        self.events.append(event | ({"by": "house"} if by_house else {}))

    def draw(self) -> None:
        """Tiles from the front of the boneyard until one fits or none may be taken."""
        drawn = []
        while self.can_draw():
            drawn.append(self.boneyard.pop(0))
            self.hand.append(drawn[-1])
            if self.fits(drawn[-1]):
                break
        self.events.append({"type": "tiles-drawn", "seat": self.to_move, "tiles": hand_text(drawn)})

    def pass_turn(self) -> None:
        assert self.to_move is not None
        self.events.append({"type": "passed", "seat": self.to_move})
        self.passes_in_a_row += 1
        if self.passes_in_a_row == self.rules.seats:
            self.end_round("blocked", blocked(self.rules, self.pips(), self.last_player, self.opener))
        else:
            self.to_move = seat_after(self.to_move, self.rules.seats)

    def act_for_the_seat(self) -> None:
        """What the autopilot does with one turn."""
        if not self.legal_plays() and self.can_draw():
            self.draw()
        if plays := self.legal_plays():
            self.play(*plays[0])
        else:
            self.pass_turn()

    def pips(self) -> list[int]:
        return [pips(hand) for hand in self.hands]

    def end_round(self, reason: str, result: RoundResult) -> None:
        if result.winner is not None:
            self.scores[self.rules.side_of(result.winner)] += result.points
        told = {"type": "round-ended", "reason": reason, "pips": self.pips(), "scores": list(self.scores)}
        self.events.append(told | result._asdict())
        ending = match_end(self.rules, self.scores, self.round_number)
        if ending is not None:
            self.end_match(*ending)
            return
        self.status, self.to_move = "round-ended", None
        self.previous = Previous(result.winner, result.winner is None, self.opener)
        if self.further_deals:
            self.deal_next(self.further_deals.pop(0))

    def deal_next(self, deal: Deal) -> None:
        """The round after one that has ended; what is forced in it is still to be done."""
        self.status = "playing"
        self.round_number += 1
        self.deal(deal, self.previous)

    @property
    def lot_decides(self) -> bool:
        """Whether a lot must name the opener of the round after one that has ended."""
        return self.rules.preset == "all-fives" and self.previous.winner is None

    def end_match(self, reason: str, winners: list[int]) -> None:
        self.status, self.to_move = "match-ended", None
        self.events.append({"type": "match-ended", "reason": reason, "winner": winners, "scores": list(self.scores)})
