"""How many ways lead on from a deal: golden counts, which any slip in the rules changes, counted twice."""

import copy
import hashlib
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from tests.domino_rules import reference
from tests.domino_rules.reference.match import Match as PlainMatch

from domino_rules import Ruleset, shuffle
from domino_rules.notation import hand_text, parse_hand
from domino_rules.perft import perft
from domino_rules.shuffle import Deal

ENDS = ("start", "left", "right", "up", "down")
ALL_ACTIONS = [
    *(f"{high}-{low}@{end}" for high, low, end in product(range(7), range(7), ENDS) if high >= low),
    "draw",
    "pass",
]
"""Whatever a seat could wish for in its turn, each thing written in one way."""
WAYS_TRIED_MAX = 120


def seeded_deal(ruleset: Ruleset) -> Deal:
    seeds = shuffle.Seeds(hashlib.sha256(b"perft").digest(), "perft", 1, ("",) * ruleset.seats)
    return shuffle.deal(seeds, ruleset.hand_size)


def counted_slowly(ruleset: Ruleset, dealt: Deal, depth: int) -> list[int]:
    """The counts of depths 1, 2 … by the plain rules: everything is tried, and what is not refused is a way."""
    scenario: dict[str, Any] = {
        "ruleset": {"preset": ruleset.preset, "seats": ruleset.seats, "spinner": ruleset.spinner},
        "deal": {"hands": [hand_text(hand) for hand in dealt.hands], "boneyard": hand_text(dealt.boneyard)},
    }
    scenario["ruleset"] |= {"pairs": ruleset.pairs, "drawing": ruleset.drawing}
    if ruleset.preset == "all-fives":
        scenario["opener"] = dealt.lot
    reached = [reference.start(scenario)[0]]
    counts = []
    for _ in range(depth):
        reached = [after for match in reached for after in all_that_is_not_refused(match)]
        counts.append(len(reached))
    return counts


def all_that_is_not_refused(match: PlainMatch) -> Iterator[PlainMatch]:
    """The match after each action of the seat to move that is taken."""
    seat = match.to_move or 1
    after = copy.deepcopy(match)
    for action in ALL_ACTIONS:
        try:
            reference.act(after, f"{seat} {action}")
        except reference.Refused:
            continue  # which has changed nothing
        yield after
        after = copy.deepcopy(match)


def of(preset: str, seats: int = 2, **options: Any) -> Ruleset:
    return Ruleset.of(preset, seats, **options)


COUNTS: list[tuple[Ruleset, list[int]]] = [
    (of("draw"), [1, 2, 4, 8, 14, 18, 22, 38, 44, 52, 68, 108]),
    (of("draw", 3), [1, 4, 10, 20, 40, 90, 142, 210, 386, 602, 984, 1424]),
    (of("draw", 4), [1, 2, 4, 10, 26, 46, 84, 208, 458, 786, 1298, 2336]),
    (of("draw", 4, spinner=True, pairs=True), [1, 2, 4, 10, 42, 110, 308, 1186, 4024, 10948]),
    (of("block"), [1, 2, 4, 8, 14, 18, 22, 38, 40, 16, 28, 16]),
    (of("block", 3), [1, 2, 8, 18, 62, 164, 422, 900, 2264, 5148]),
    (of("block", 4), [1, 4, 6, 20, 62, 186, 474, 1438, 3640]),
    (of("duel-draw"), [2, 4, 8, 14, 18, 22, 38, 44, 44, 52, 68, 108]),
    (of("duel-draw", spinner=True), [2, 4, 8, 14, 18, 22, 38, 44, 44, 52, 68, 116]),
    (of("all-fives"), [7, 24, 81, 237, 693, 1578, 3627]),
    (of("all-fives", spinner=True), [7, 24, 81, 241, 729, 1872, 5194]),
    (of("party"), [1, 2, 4, 8, 14, 18, 22, 38, 44, 48, 40, 32]),
    (of("party", drawing=True), [1, 2, 4, 8, 14, 18, 22, 38, 44, 44, 52, 68]),
    (of("party", 3, drawing=True, spinner=True), [1, 2, 8, 42, 188, 1146, 5636]),
    (of("party", 4, pairs=True), [1, 4, 6, 20, 60, 160, 396, 1224, 3090, 6610]),
]


def name_of(ruleset: Ruleset) -> str:
    extras = [option for option in ("pairs", "drawing", "spinner") if getattr(ruleset, option)]
    return "-".join([ruleset.preset, str(ruleset.seats), *extras])


NAMES = [name_of(ruleset) for ruleset, _ in COUNTS]


@pytest.mark.parametrize(("ruleset", "counts"), COUNTS, ids=NAMES)
def test_the_ways_on_from_a_deal_are_as_many_as_ever(ruleset: Ruleset, counts: list[int]) -> None:
    dealt = seeded_deal(ruleset)
    assert [perft(ruleset, dealt, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("ruleset", "counts"), COUNTS, ids=NAMES)
def test_trying_everything_by_the_plain_rules_finds_as_many(ruleset: Ruleset, counts: list[int]) -> None:
    depth = sum(count <= WAYS_TRIED_MAX for count in counts)
    assert counted_slowly(ruleset, seeded_deal(ruleset), depth) == counts[:depth]


def test_a_sequence_that_ends_the_round_counts_at_its_own_length_only() -> None:
    dealt = Deal((parse_hand("6-6 1-0"), parse_hand("6-5 1-1")), (), 1)
    # 6-6, then 6-5 on either side, then nothing fits: both pass by themselves and the round is blocked.
    assert [perft(of("draw"), dealt, depth) for depth in range(4)] == [1, 1, 2, 0]
    # Where passes are asked for they are ways, too.
    assert [perft(of("party"), dealt, depth) for depth in range(6)] == [1, 1, 2, 2, 2, 0]


def test_a_lot_opens_where_a_lot_decides_and_the_house_opening_is_no_action() -> None:
    hands = (parse_hand("6-6 1-0"), parse_hand("6-5 1-1 2-2"))
    assert [perft(of("all-fives"), Deal(hands, (), seat), 1) for seat in (1, 2)] == [2, 3]
    assert perft(of("duel-draw"), Deal(hands, (), 2), 1) == 2


def test_a_depth_below_nothing_is_no_depth() -> None:
    with pytest.raises(ValueError, match="depth: expected 0 or more actions, got -1"):
        perft(of("draw"), seeded_deal(of("draw")), -1)
