"""The expert: plays every candidate out in many worlds that fit what it knows. See docs/expert.md."""

from __future__ import annotations

from random import Random

from domino_bots.budget import Budget
from domino_bots.chances import chance
from domino_bots.ending import score_out
from domino_bots.game import Game, Position
from domino_bots.knowledge import Knowledge
from domino_bots.layouts import FIVES
from domino_bots.playout import play_out
from domino_bots.seat_view import SeatView
from domino_bots.worlds import Worlds
from domino_rules.actions import Action, PlayTile


class Candidate:
    """One play to choose from, and how it did."""

    def __init__(self, action: PlayTile, layout: int) -> None:
        self.action = action
        self.layout = layout
        """The number of the layout that it leaves."""
        self.total: float = 0.0


def expert_action(view: SeatView, seed: int, budget: Budget) -> Action:
    """The legal action that wins the match most often over the sampled worlds."""
    if len(view.legal) == 1:
        return view.legal[0]
    knowledge = Knowledge(view)
    candidates = candidates_of(view, knowledge)
    if len(candidates) == 1:
        return candidates[0].action
    game = Game(view.ruleset, view.scores, view.round_number)
    worlds = Worlds(game, knowledge, view.boneyard)
    randomness = Random(seed)
    side = game.side_of[knowledge.seat]
    going_on = True
    while going_on:
        world = worlds.sample(randomness)
        for candidate in candidates:
            position, plies = played(game, world, candidate)
            if plies:
                plies += play_out(game, position)
            candidate.total += chance(game, side, position.gains)
            going_on = budget.spend(plies + 1) and going_on
    return max(candidates, key=_total).action


def _total(candidate: Candidate) -> float:
    return candidate.total


def candidates_of(view: SeatView, knowledge: Knowledge) -> list[Candidate]:
    """The legal plays without those that leave the same as an earlier one."""
    found: list[Candidate] = []
    for action in view.legal:
        assert isinstance(action, PlayTile)
        assert action.end is not None
        layout = knowledge.line.after(action.tile, action.end)
        if not any(other.action.tile == action.tile and other.layout == layout for other in found):
            found.append(Candidate(action, layout))
    return found


def played(game: Game, world: Position, candidate: Candidate) -> tuple[Position, int]:
    """The world after the candidate's play, and 1; 0 when the round has ended with it."""
    seat, layout = world.to_move, candidate.layout
    hands = world.hands.copy()
    hands[seat] ^= 1 << candidate.action.tile
    following = seat + 1 if seat + 1 < game.seats else 0
    unlaid = world.unlaid ^ 1 << candidate.action.tile
    position = Position(hands, world.lacks.copy(), world.boneyard.copy(), unlaid, layout, following, 0, game.sides)
    if game.fives and FIVES[layout]:
        side = game.side_of[seat]
        position.gains[side] = FIVES[layout]
        if game.scores[side] + FIVES[layout] >= game.target:
            return position, 0
    if not hands[seat]:
        score_out(game, position, seat)
        return position, 0
    return position, 1
