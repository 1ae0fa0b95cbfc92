"""The rules of dominoes: pure, typed, standard library only."""

from domino_rules.actions import Action, Draw, Flag, Pass, PlayTile, Timeout
from domino_rules.autopilot import autopilot_action
from domino_rules.events import (
    GameEvent,
    MatchEnded,
    Passed,
    RoundDealt,
    RoundEnded,
    TilePlayed,
    TilesDrawn,
)
from domino_rules.legal import legal_actions
from domino_rules.match import deal, decide, evolve, new_match
from domino_rules.refusal import Reason, Refusal
from domino_rules.ruleset import Ruleset, RulesetError
from domino_rules.state import Match

RULES_VERSION = "1"
"""Changes whenever the same actions could be decided differently."""

__all__ = [
    "RULES_VERSION",
    "Action",
    "Draw",
    "Flag",
    "GameEvent",
    "Match",
    "MatchEnded",
    "Pass",
    "Passed",
    "PlayTile",
    "Reason",
    "Refusal",
    "RoundDealt",
    "RoundEnded",
    "Ruleset",
    "RulesetError",
    "TilePlayed",
    "TilesDrawn",
    "Timeout",
    "autopilot_action",
    "deal",
    "decide",
    "evolve",
    "legal_actions",
    "new_match",
]
