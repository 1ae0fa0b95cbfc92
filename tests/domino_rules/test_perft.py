"""How many ways lead on from a deal: a golden count per preset, which any slip in the legal actions changes."""

import hashlib

import pytest

from domino_rules import Match, Ruleset, deal, decide, evolve, legal_actions, new_match, shuffle
from domino_rules.refusal import Refusal


def first_deal(ruleset: Ruleset) -> Match:
    seeds = shuffle.Seeds(hashlib.sha256(b"perft").digest(), "perft", 1, ("",) * ruleset.seats)
    dealt = shuffle.deal(seeds, ruleset.hand_size)
    match = new_match(ruleset)
    opener = None if match.next_forced else dealt.lot
    for event in deal(match, dealt.hands, dealt.boneyard, opener):
        match = evolve(match, event)
    return match


def ways(match: Match, depth: int) -> int:
    """The number of action sequences of that length, or shorter where the round ends."""
    if depth == 0 or match.status != "playing":
        return 1
    total = 0
    for action in legal_actions(match):
        decided = decide(match, action)
        assert not isinstance(decided, Refusal)
        after = match
        for event in decided:
            after = evolve(after, event)
        total += ways(after, depth - 1)
    return total


COUNTS: list[tuple[str, int, bool, list[int]]] = [
    ("draw", 2, False, [1, 2, 4, 8, 14, 18]),
    ("draw", 3, False, [1, 4, 10, 20, 40, 90]),
    ("draw", 4, False, [1, 2, 4, 10, 26, 46]),
    ("block", 2, False, [1, 2, 4, 8, 14, 18]),
    ("block", 3, False, [1, 2, 8, 18, 62, 164]),
    ("block", 4, False, [1, 4, 6, 20, 62, 186]),
    ("duel-draw", 2, False, [2, 4, 8, 14, 18, 22]),
    ("all-fives", 2, False, [7, 24, 81, 237, 693, 1578]),
    ("all-fives", 2, True, [7, 24, 81, 241, 729, 1872]),
    ("party", 4, False, [1, 4, 6, 20, 60, 160]),
]


@pytest.mark.parametrize(("preset", "seats", "spinner", "counts"), COUNTS)
def test_the_ways_on_from_a_deal_are_as_many_as_ever(preset: str, seats: int, spinner: bool, counts: list[int]) -> None:
    match = first_deal(Ruleset.of(preset, seats, spinner=spinner))
    assert [ways(match, depth) for depth in range(1, len(counts) + 1)] == counts
