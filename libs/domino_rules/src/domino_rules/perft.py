"""How many ways lead on from a deal: the count by which generators of moves are compared, as chess programs do."""

from __future__ import annotations

from collections.abc import Iterable

from domino_rules.events import GameEvent
from domino_rules.legal import legal_actions
from domino_rules.match import deal, decide, evolve, new_match
from domino_rules.refusal import Refusal
from domino_rules.ruleset import Ruleset
from domino_rules.shuffle import Deal
from domino_rules.state import Match


def perft(ruleset: Ruleset, dealt: Deal, depth: int) -> int:
    """The number of different sequences of exactly `depth` actions from round 1's deal; raises `ValueError` below 0.

    An action is a play on a named end, a draw or a pass, as `legal_actions` lists them: a tile that fits two ends is
    two actions. What happens by itself is none: the house opening, and draws and passes where they are forced. A
    sequence that ends the round earlier is not as long and counts for nothing. The lot opens where a lot decides.
    """
    if depth < 0:
        raise ValueError(f"depth: expected 0 or more actions, got {depth}")
    match = new_match(ruleset)
    opener = dealt.lot if match.lot_decides else None
    return _ways(_after(match, deal(match, dealt.hands, dealt.boneyard, opener)), depth)


def _ways(match: Match, depth: int) -> int:
    if depth == 0:
        return 1
    actions = legal_actions(match)
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        decided = decide(match, action)
        assert not isinstance(decided, Refusal), decided
        total += _ways(_after(match, decided), depth - 1)
    return total


def _after(match: Match, events: Iterable[GameEvent]) -> Match:
    for event in events:
        match = evolve(match, event)
    return match
