from typing import Any

import pytest

from domino_rules.runner import run_scenario
from domino_rules.scenario import read_scenario
from domino_rules.scoring import nearest_five


def ended(preset: str, hands: list[str], layout: list[str], to_move: int, **more: Any) -> dict[str, Any]:
    """The round-ended event of a position in which passes happen by themselves, and the result around it."""
    scenario = {
        "ruleset": {"preset": preset, **more.pop("options", {})},
        "deal": {"hands": hands, "boneyard": ""},
        "layout": layout,
        "to_move": to_move,
        "opener": more.pop("opener", 1),
        "forced": "auto",
        **more,
    }
    result = run_scenario(read_scenario(scenario))
    (event,) = [event for event in result["events"] if event["type"] == "round-ended"]
    return {**event, "then": result["events"][-1]}


BLOCKED = ["6-6@start"]


@pytest.mark.parametrize(
    ("pips", "points"), [(0, 0), (1, 0), (2, 0), (3, 5), (7, 5), (8, 10), (12, 10), (13, 15), (17, 15), (18, 20)]
)
def test_pips_round_to_the_nearest_five(pips: int, points: int) -> None:
    assert nearest_five(pips) == points


@pytest.mark.parametrize(
    ("preset", "hands", "points"),
    [
        ("draw", ["3-1", "5-5 1-0"], 11),
        ("block", ["3-1", "5-5 1-0", "2-2"], 15),
        ("duel-draw", ["3-1", "5-5 1-0"], 11),
        ("all-fives", ["3-1", "6-6"], 10),
        ("all-fives", ["3-1", "6-6 1-0"], 15),
        ("all-fives", ["3-1", "2-0"], 0),
        ("party", ["3-1", "5-5 1-0", "2-2"], 15),
    ],
)
def test_going_out_scores_the_other_hands(preset: str, hands: list[str], points: int) -> None:
    event = ended(preset, hands, ["6-3@start"], 1, actions=["1 3-1"], options={"target": 500})
    assert (event["reason"], event["winner"], event["points"]) == ("out", 1, points)


@pytest.mark.parametrize(
    ("preset", "hands", "winner", "points"),
    [
        ("draw", ["5-5 2-0", "4-4"], 2, 4),
        ("block", ["5-5 2-0", "4-4", "5-4"], 2, 13),
        ("duel-draw", ["5-5 2-0", "4-4"], 2, 12),
        ("all-fives", ["5-5 2-0", "4-4"], 2, 5),
        ("all-fives", ["5-4", "4-4"], 2, 0),
        ("party", ["5-5 2-0", "4-4", "5-4"], 2, 21),
        ("draw", ["4-4", "5-3"], None, 0),
        ("all-fives", ["4-4", "5-3"], None, 0),
        ("block", ["4-4", "5-3", "5-5"], None, 0),
        ("block", ["1-0", "5-3", "4-4"], 1, 15),
    ],
)
def test_a_blocked_round_goes_to_the_one_lowest_hand(
    preset: str, hands: list[str], winner: int | None, points: int
) -> None:
    event = ended(preset, hands, BLOCKED, 1)
    assert (event["reason"], event["winner"], event["points"]) == ("blocked", winner, points)


@pytest.mark.parametrize(
    ("preset", "opener", "forced"),
    [("draw", None, True), ("duel-draw", None, True), ("all-fives", None, False), ("party", 1, False)],
)
def test_a_tied_block_says_who_opens_next(preset: str, opener: int | None, forced: bool) -> None:
    event = ended(preset, ["4-4", "5-3"], BLOCKED, 1, opener=2)
    assert (event["next_opener"], event["next_forced"]) == (opener, forced)


def test_pairs_compare_the_sums_and_score_both_opposing_hands_whole() -> None:
    options = {"pairs": True}
    event = ended("party", ["4-4", "5-4", "1-0", "3-3"], BLOCKED, 1, options=options)
    assert (event["winner"], event["points"], event["scores"]) == (3, 15, [15, 0])
    same = ended("draw", ["4-4", "5-4", "1-0", "3-3"], BLOCKED, 1, options=options)
    assert (same["winner"], same["points"]) == (3, 15)


@pytest.mark.parametrize(("to_move", "winner"), [(2, 3), (4, 1), (1, 1), (3, 3)])
def test_of_equal_winning_partners_the_next_after_the_last_tile_opens(to_move: int, winner: int) -> None:
    event = ended("party", ["5-0", "5-4", "4-1", "5-3"], BLOCKED, to_move, options={"pairs": True})
    assert (event["winner"], event["next_opener"]) == (winner, winner)


def test_pairs_that_are_equal_tie_the_round() -> None:
    event = ended("party", ["4-4", "5-4", "5-3", "5-2"], BLOCKED, 1, options={"pairs": True})
    assert (event["pips"], event["winner"], event["next_opener"]) == ([8, 9, 8, 7], None, 2)


def test_a_pair_that_goes_out_never_scores_the_partners_hand() -> None:
    event = ended("party", ["3-1", "5-5", "4-4", "1-0"], ["6-3@start"], 1, actions=["1 3-1"], options={"pairs": True})
    assert (event["winner"], event["points"], event["scores"]) == (1, 11, [11, 0])


def test_the_target_ends_the_match_with_the_winning_side() -> None:
    event = ended("draw", ["3-1", "5-5"], ["6-3@start"], 1, actions=["1 3-1"], scores=[95, 99])
    assert event["then"] == {"type": "match-ended", "reason": "target", "winner": [1], "scores": [105, 99]}
    assert (event["next_opener"], event["next_forced"]) == (1, False)


@pytest.mark.parametrize(
    ("scores", "tie_at_cap", "winner"),
    [
        ([60, 80], "drawn", [2]),
        ([70, 80], "drawn", []),
        ([70, 80], "extra-rounds", None),
        ([71, 80], "extra-rounds", [1]),
    ],
)
def test_at_the_cap_the_higher_score_wins(scores: list[int], tie_at_cap: str, winner: list[int] | None) -> None:
    options = {"tie_at_cap": tie_at_cap}
    hands, plays = ["3-1", "5-5"], ["6-3@start"]
    event = ended("duel-draw", hands, plays, 1, actions=["1 3-1"], scores=scores, round=20, options=options)
    if winner is None:
        assert event["then"]["type"] == "round-ended"
    else:
        assert (event["then"]["reason"], event["then"]["winner"]) == ("round-cap", winner)


def test_the_target_goes_before_the_cap() -> None:
    event = ended("duel-draw", ["3-1", "5-5"], ["6-3@start"], 1, actions=["1 3-1"], scores=[95, 0], round=20)
    assert event["then"]["reason"] == "target"
