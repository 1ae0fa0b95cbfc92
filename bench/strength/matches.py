"""Matches between two bots, each deal played twice with the seats swapped."""

from random import Random
from typing import Final, NamedTuple

from bench.strength.ceiling import ceiling_action
from domino_bots import SeatView, Strength, choose
from domino_rules import Ruleset, deal, decide, evolve, new_match
from domino_rules.actions import Action
from domino_rules.events import GameEvent
from domino_rules.refusal import Refusal
from domino_rules.tiles import TILES

CEILING: Final = "ceiling"
BOTS: Final = (*[str(strength) for strength in Strength], CEILING)


class Duel(NamedTuple):
    """Who plays whom at what."""

    preset: str
    first: str
    second: str
    target: int
    budget_ms: float


class Result(NamedTuple):
    """What the first bot got in some matches, draws as halves; points are of all their rounds."""

    matches: int
    won: float
    rounds: int
    rounds_won: float
    points: int
    points_against: int

    def __add__(self, other: object) -> "Result":
        assert isinstance(other, Result)
        return Result(
            self.matches + other.matches,
            self.won + other.won,
            self.rounds + other.rounds,
            self.rounds_won + other.rounds_won,
            self.points + other.points,
            self.points_against + other.points_against,
        )


def play_pair(duel: Duel, number: int) -> Result:
    """Two matches on the same deals; pairs with different numbers have nothing in common."""
    return _play(duel, number, swapped=False) + _play(duel, number, swapped=True)


def _play(duel: Duel, number: int, *, swapped: bool) -> Result:
    game = _Game(duel, number)
    seats = (duel.second, duel.first) if swapped else (duel.first, duel.second)
    while game.match.status != "match-ended":
        game.turn(seats)
    ended = game.match.match_ended
    assert ended is not None
    mine = 2 if swapped else 1
    won = 0.5 if len(ended.winner) != 1 else float(ended.winner[0] == mine)
    rounds = [gains if mine == 1 else gains[::-1] for gains in game.rounds]
    rounds_won = sum(0.5 + 0.5 * ((mine > theirs) - (mine < theirs)) for mine, theirs in rounds)
    return Result(1, won, len(rounds), rounds_won, sum(r[0] for r in rounds), sum(r[1] for r in rounds))


class _Game:
    """One match and what each round brought."""

    def __init__(self, duel: Duel, number: int) -> None:
        self.match = new_match(Ruleset.of(duel.preset, 2, target=duel.target))
        self.rounds: list[tuple[int, int]] = []
        self._duel = duel
        self._chance = Random(f"pair {number}")
        self._number = number
        self._before = (0, 0)
        self._turns = 0

    def turn(self, seats: tuple[str, str]) -> None:
        """The next deal, or one action of the bot whose turn it is."""
        match = self.match
        if match.status == "round-ended":
            self._fold(self._deal())
            return
        assert match.round is not None
        seat = match.round.to_move
        self._turns += 1
        events = decide(match, self._action(seats[seat - 1], SeatView.of(match, seat)))
        assert not isinstance(events, Refusal), events
        self._fold(events)
        if self.match.status != "playing":
            first, second = self.match.scores
            self.rounds.append((first - self._before[0], second - self._before[1]))
            self._before = (first, second)

    def _action(self, bot: str, view: SeatView) -> Action:
        if bot == CEILING:
            return ceiling_action(self.match, view, self._duel.budget_ms)
        return choose(view, Strength(bot), self._number * 1_000_003 + self._turns, self._duel.budget_ms)

    def _deal(self) -> list[GameEvent]:
        tiles = list(TILES)
        self._chance.shuffle(tiles)
        opener = self._chance.randrange(2) + 1
        size = self.match.ruleset.hand_size
        hands = (tuple(tiles[:size]), tuple(tiles[size : 2 * size]))
        return deal(self.match, hands, tuple(tiles[2 * size :]), opener if self.match.lot_decides else None)

    def _fold(self, events: list[GameEvent]) -> None:
        for event in events:
            self.match = evolve(self.match, event)
