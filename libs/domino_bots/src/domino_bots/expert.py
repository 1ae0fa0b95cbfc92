"""The expert: plays every candidate out in many worlds that fit what it knows. See docs/expert.md.

Sampling worlds and averaging over them is perfect-information Monte Carlo (Ginsberg, 2001; Long et al., 2010);
judging a play by the playouts of a plain policy after it is the rollout algorithm (Tesauro and Galperin, 1996).
"""

from __future__ import annotations

from random import Random
from typing import Final

from domino_bots.budget import Budget
from domino_bots.candidates import Candidate, candidates_of, leader, played
from domino_bots.certainty import best_when_known
from domino_bots.chances import chance
from domino_bots.game import Game, Position
from domino_bots.knowledge import Knowledge
from domino_bots.playout import play_out, worth
from domino_bots.search import Search
from domino_bots.seat_view import SeatView
from domino_bots.tile_sets import WITH_NUMBERS
from domino_bots.worlds import Worlds
from domino_rules.actions import Action

FIRST_OPINION: Final = 0.004
"""What a point of the rule of thumb's score weighs, in chances of one world."""
WORLDS_BETWEEN: Final = 8
"""Worlds between two looks at who is beaten."""
BEATEN: Final = 2.0
"""So many standard errors behind the leader is out."""
SEARCHED: Final = 5
"""With so few tiles in both hands a world is searched to its end instead of played out."""
TRIAL_PLIES: Final = 5
"""The work of a candidate in a world beside what follows, in plies."""
TO_THE_END: Final = 60
"""More plays than a round can have."""


def expert_action(view: SeatView, seed: int, budget: Budget) -> Action:
    """The legal action that wins the match most often over the sampled worlds."""
    if len(view.legal) == 1:
        return view.legal[0]
    knowledge = Knowledge(view, reads_choices=True)
    candidates = candidates_of(view, knowledge)
    if len(candidates) == 1:
        return candidates[0].action
    game = Game(view.ruleset, view.scores, view.round_number)
    worlds = Worlds(game, knowledge, view.boneyard)
    randomness = Random(seed)
    if worlds.is_certain:
        return best_when_known(game, worlds.sample(randomness, budget), candidates, budget).action
    _ask_the_rule_of_thumb(game, knowledge, candidates)
    return _best_of_worlds(game, worlds, candidates, randomness, budget).action


def _best_of_worlds(
    game: Game, worlds: Worlds, candidates: list[Candidate], randomness: Random, budget: Budget
) -> Candidate:
    """Every world for every candidate, until the budget ends or all but one are clearly beaten."""
    count = 0
    while budget.plies_left > 0 and len(candidates) > 1:
        world = worlds.sample(randomness, budget)
        for candidate in candidates:
            found = _tried(game, world, candidate, budget)
            candidate.chances.append(found)
            candidate.total += found
        count += 1
        if count % WORLDS_BETWEEN == 0:
            candidates = not_beaten(candidates)
    return leader(candidates)


def _tried(game: Game, world: Position, candidate: Candidate, budget: Budget) -> float:
    """The chance to win the match after the candidate in that world."""
    side = game.side_of[world.to_move]
    position, ended = played(game, world, candidate)
    budget.spend(TRIAL_PLIES)
    if not ended:
        if game.sides == 2 and position.held() <= SEARCHED:
            return Search(game, side, budget).value(position, TO_THE_END, 0.0, 1.0)
        budget.spend(game.ply_work * play_out(game, position))
    return chance(game, side, position.gains)


def _ask_the_rule_of_thumb(game: Game, knowledge: Knowledge, candidates: list[Candidate]) -> None:
    """Few worlds decide little: until there are more, what looks better leads."""
    next_seat = (knowledge.seat + 1) % game.seats
    answers = knowledge.hidden & ~WITH_NUMBERS[knowledge.lacks(next_seat)]
    for candidate in candidates:
        rest = knowledge.hand & ~(1 << candidate.action.tile)
        candidate.total = FIRST_OPINION * worth(game, rest, answers, candidate.action.tile, candidate.layout)


def not_beaten(candidates: list[Candidate]) -> list[Candidate]:
    """Those that may still be the best: world by world the leader is not clearly better."""
    best = leader(candidates)
    return [candidate for candidate in candidates if candidate is best or not _is_beaten(candidate, best)]


def _is_beaten(candidate: Candidate, best: Candidate) -> bool:
    """A test on paired differences."""
    behind = squares = 0.0
    for better, worse in zip(best.chances, candidate.chances, strict=True):
        behind += better - worse
        squares += (better - worse) * (better - worse)
    spread = squares - behind * behind / len(best.chances)
    return behind > 0.0 and behind * behind > BEATEN * BEATEN * spread
