"""Minimax over the rules themselves, without any of the bots' short cuts."""

from domino_bots.chances import chance
from domino_bots.game import Game
from domino_rules import Match, decide, evolve, legal_actions
from domino_rules.actions import Action


def minimax(game: Game, match: Match, side: int) -> float:
    """The side's chance to win the match when it plays for it and everybody else against it until the round ends."""
    if match.status != "playing":
        return chance(game, side, [now - before for now, before in zip(match.scores, game.scores, strict=True)])
    assert match.round is not None
    values = [minimax(game, after(match, action), side) for action in legal_actions(match)]
    return max(values) if match.ruleset.side_of(match.round.to_move) == side else min(values)


def after(match: Match, action: Action) -> Match:
    """The match once the action is decided."""
    events = decide(match, action)
    assert isinstance(events, list), events
    for event in events:
        match = evolve(match, event)
    return match
