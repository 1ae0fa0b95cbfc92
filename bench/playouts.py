"""One figure of one library in this process: `python -m bench.playouts "moves block-4"` prints it.

Deals are made before the clock starts, a hundred at a time, for every library alike; the same chooser picks among
the legal moves. Time is this process's own processor time.
"""

import importlib
import sys
import time
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any

from domino_rules import GameEvent, Match, Ruleset, deal, decide, evolve, legal_actions, new_match
from domino_rules.tiles import TILES

SECONDS = 0.5
AT_ONCE = 100
RULESETS = {
    "block-2": Ruleset.of("block", 2, target=10_000),
    "block-4": Ruleset.of("block", 4, target=10_000),
    "block-pairs": Ruleset.of("block", 4, pairs=True, target=10_000),
    "draw-2": Ruleset.of("draw", 2),
    "all-fives": Ruleset.of("all-fives", spinner=True),
}


def per_second(make: Callable[[], Any], play: Callable[[Any], int]) -> float:
    """How much `play` does a second with what `make` gives; only `play` is timed."""
    done, spent = 0, 0.0
    while spent < SECONDS:
        made = [make() for _ in range(AT_ONCE)]
        began = time.process_time()
        done += sum([play(each) for each in made])
        spent += time.process_time() - began
    return done / spent


def moves(ruleset: Ruleset) -> float:
    """Moves a second of random rounds through `legal_actions`, `decide` and `evolve`."""
    chance = Random(1)
    draw = chance.random

    def play(match: Match) -> int:
        count = 0
        while legal := legal_actions(match):
            for event in decide(match, legal[int(draw() * len(legal))]):  # type: ignore[union-attr]
                match = evolve(match, event)
            count += 1
        return count

    return per_second(lambda: after(new_match(ruleset), dealt(new_match(ruleset), chance)), play)


def dominoes_moves() -> float:
    """The same with the PyPI package `dominoes`: four players, blocked when nobody can play."""
    dominoes = importlib.import_module("dominoes")
    draw = Random(1).random

    def play(game: Any) -> int:
        count = 0
        while game.result is None:
            legal = game.valid_moves
            game.make_move(*legal[int(draw() * len(legal))])
            count += 1
        return count

    return per_second(dominoes.Game.new, play)


def open_spiel_moves(name: str) -> float:
    """The same with a game of OpenSpiel that is written in Python; its deal is a series of chance moves."""
    importlib.import_module("open_spiel.python.games")
    game = importlib.import_module("pyspiel").load_game(name)
    draw = Random(1).random

    def make() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(draw() * len(outcomes))][0])
        return state

    def play(state: Any) -> int:
        count = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            count += 1
        return count

    return per_second(make, play)


def folded(ruleset: Ruleset) -> float:
    """Recorded events of whole matches that are folded in a second."""
    chance = Random(1)

    def play(events: list[GameEvent]) -> int:
        match = new_match(ruleset)
        for event in events:
            match = evolve(match, event)
        return len(events)

    return per_second(lambda: recorded(ruleset, chance)[0], play)


def bytes_of_a_match(ruleset: Ruleset) -> float:
    """Memory that a live match takes, at the end of its last round, when most lies on the layout."""
    chance = Random(1)
    logs = [recorded(ruleset, chance)[0][:-1] for _ in range(500)]
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    states = [after(new_match(ruleset), [type(event).from_json(event.to_json()) for event in log]) for log in logs]
    now, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (now - before) / len(states)


def recorded(ruleset: Ruleset, chance: Random) -> tuple[list[GameEvent], Match]:
    """The events of a whole match at random, and the match after them."""
    match, events = new_match(ruleset), []
    while match.status != "match-ended":
        legal = legal_actions(match)
        decided = decide(match, chance.choice(legal)) if legal else dealt(match, chance)
        assert isinstance(decided, list)
        match = after(match, decided)
        events += decided
    return events, match


def dealt(match: Match, chance: Random) -> list[GameEvent]:
    ruleset, tiles = match.ruleset, list(TILES)
    chance.shuffle(tiles)
    size, seats = ruleset.hand_size, ruleset.seats
    hands = tuple([tuple(tiles[size * seat : size * seat + size]) for seat in range(seats)])
    return deal(match, hands, tuple(tiles[size * seats :]), 1 if match.lot_decides else None)


def after(match: Match, events: list[GameEvent]) -> Match:
    for event in events:
        match = evolve(match, event)
    return match


FIGURES: dict[str, Callable[[], float]] = {
    **{f"moves {name}": lambda ruleset=ruleset: moves(ruleset) for name, ruleset in RULESETS.items()},  # type: ignore[misc]
    "fold draw-2": lambda: folded(RULESETS["draw-2"]),
    "fold all-fives": lambda: folded(RULESETS["all-fives"]),
    "memory draw-2": lambda: bytes_of_a_match(RULESETS["draw-2"]),
    "memory all-fives": lambda: bytes_of_a_match(RULESETS["all-fives"]),
    "dominoes": dominoes_moves,
    "python_block_dominoes": lambda: open_spiel_moves("python_block_dominoes"),
    "python_team_dominoes": lambda: open_spiel_moves("python_team_dominoes"),
}

if __name__ == "__main__":
    print(FIGURES[sys.argv[1]]())
