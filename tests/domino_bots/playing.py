"""Whole matches with known chance, and the view of each turn."""

from collections.abc import Callable
from random import Random

from domino_bots import SeatView
from domino_rules import Match, Ruleset, deal, decide, evolve, new_match
from domino_rules.actions import Action
from domino_rules.events import GameEvent
from domino_rules.refusal import Refusal
from domino_rules.tiles import TILES

RULESETS = {
    "draw": Ruleset.of("draw", 2, target=50),
    "draw, three": Ruleset.of("draw", 3, target=50),
    "draw, four": Ruleset.of("draw", 4, target=50),
    "block": Ruleset.of("block", 2, target=50),
    "block, three": Ruleset.of("block", 3, target=50),
    "block, four in pairs": Ruleset.of("block", 4, pairs=True, target=50),
    "duel-draw": Ruleset.of("duel-draw", target=100),
    "all-fives": Ruleset.of("all-fives", target=100),
    "all-fives, four ends": Ruleset.of("all-fives", target=100, spinner=True),
    "all-fives, house options": Ruleset.of("all-fives", spinner=True, boneyard_reserve=2, stop_on_dead_end=True),
    "party": Ruleset.of("party", 2, target=100),
    "party, four": Ruleset.of("party", 4, target=100),
    "party, three, drawing": Ruleset.of("party", 3, drawing=True, target=100),
    "party, pairs": Ruleset.of("party", 4, pairs=True, target=100),
}
Choice = Callable[[Match, SeatView], Action]


class Play:
    """A match in which `act` chooses for every seat; deals, and lots, are by chance with the seed."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.match = new_match(ruleset)
        self._chance = Random(seed)

    def to_the_end(self, act: Choice, turns_max: int = 10_000) -> Match:
        for _ in range(turns_max):
            if self.match.status == "match-ended":
                break
            self.turn(act)
        return self.match

    def turn(self, act: Choice) -> None:
        """The next deal, or one action."""
        if self.match.status == "round-ended":
            self._fold(self._deal())
            return
        events = decide(self.match, act(self.match, self.view()))
        assert not isinstance(events, Refusal), events
        self._fold(events)

    def view(self) -> SeatView:
        assert self.match.round is not None
        return SeatView.of(self.match, self.match.round.to_move)

    def _deal(self) -> list[GameEvent]:
        ruleset, tiles = self.match.ruleset, list(TILES)
        self._chance.shuffle(tiles)
        size, seats = ruleset.hand_size, ruleset.seats
        hands = tuple([tuple(tiles[size * seat : size * seat + size]) for seat in range(seats)])
        opener = self._chance.randrange(seats) + 1
        return deal(self.match, hands, tuple(tiles[size * seats :]), opener if self.match.lot_decides else None)

    def _fold(self, events: list[GameEvent]) -> None:
        for event in events:
            self.match = evolve(self.match, event)
