"""How a seat is played whose person does not act."""

from __future__ import annotations

from domino_rules.actions import Action
from domino_rules.legal import legal_actions
from domino_rules.state import Match


def autopilot_action(match: Match) -> Action:
    """The tile with most pips, then the larger half, on the first of left, right, up, down; else the draw or pass.

    That is the order in which legal actions are listed. Raises `ValueError` when nobody is to move.
    """
    actions = legal_actions(match)
    if not actions:
        raise ValueError(f"expected a match in play, got one that is {match.status}")
    return actions[0]
