from typing import Any

import pytest

from domino_rules.runner import run_scenario
from domino_rules.scenario import read_scenario

FOUR_ENDS: dict[str, Any] = {
    "ruleset": {"preset": "all-fives", "seats": 2, "target": 100, "spinner": True},
    "deal": {"hands": ["5-5 6-5 0-0 5-2 6-6 4-4 3-3", "5-0 5-4 6-1 6-2 6-3 6-4 1-1"], "boneyard": "4-0 3-2 4-1"},
    "opener": 1,
    "scores": [0, 0],
    "round": 1,
    "forced": "auto",
    "actions": ["1 5-5", "2 5-0@right", "1 6-5@left"],
}
NO_DOUBLES: dict[str, Any] = {
    "ruleset": {"preset": "draw"},
    "deal": {"hands": ["6-3 4-1 3-0 2-1 5-0 4-2 1-0", "5-4 6-0 5-1 3-2 4-0 2-0 3-1"], "boneyard": ""},
}


def run(scenario: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return run_scenario(read_scenario({**scenario, **changes}))


def types(result: dict[str, Any]) -> list[str]:
    return [event["type"] for event in result["events"]]


def test_the_example_of_the_rule_book_is_played_to_the_letter() -> None:
    assert run(FOUR_ENDS) == {
        "events": [
            {
                "type": "tile-played",
                "seat": 1,
                "tile": "5-5",
                "end": "start",
                "ends": {"left": 5, "right": 5},
                "ends_total": 10,
                "points": 10,
                "scores": [10, 0],
            },
            {
                "type": "tile-played",
                "seat": 2,
                "tile": "5-0",
                "end": "right",
                "ends": {"left": 5, "right": 0},
                "ends_total": 10,
                "points": 10,
                "scores": [10, 10],
            },
            {
                "type": "tile-played",
                "seat": 1,
                "tile": "6-5",
                "end": "left",
                "ends": {"left": 6, "right": 0, "up": 5, "down": 5},
                "ends_total": 6,
                "points": 0,
                "scores": [10, 10],
            },
        ],
        "status": "playing",
        "to_move": 2,
        "legal": ["6-4@left", "6-3@left", "5-4@up", "5-4@down", "6-2@left", "6-1@left"],
        "ends": {"left": 6, "right": 0, "up": 5, "down": 5},
        "hands": ["0-0 5-2 6-6 4-4 3-3", "5-4 6-1 6-2 6-3 6-4 1-1"],
        "boneyard": "4-0 3-2 4-1",
        "scores": [10, 10],
    }


def test_without_four_ends_the_arm_has_no_place() -> None:
    ruleset = {"preset": "all-fives", "target": 100}
    result = run(FOUR_ENDS, ruleset=ruleset, actions=[*FOUR_ENDS["actions"], "2 5-4@up"])
    assert result["refused"]["reason"] == "end-not-open"
    assert all(not play.startswith("5-4") for play in result["legal"])


def test_an_arm_is_closed_while_one_main_side_is_bare() -> None:
    result = run(FOUR_ENDS, actions=["1 5-5", "2 5-0@right", "1 5-2@up"])
    assert result["refused"] == {
        "action": 2,
        "reason": "end-not-open",
        "message": "expected one of left, right, got up",
    }


def test_without_doubles_the_heaviest_tile_must_open() -> None:
    assert run(NO_DOUBLES)["legal"] == ["6-3@start"]
    assert run(NO_DOUBLES, actions=["1 4-1"])["refused"]["reason"] == "must-open-with"
    assert run(NO_DOUBLES, actions=["1 pass"])["refused"]["reason"] == "must-open-with"
    assert run(NO_DOUBLES, actions=["2 5-4"])["refused"]["reason"] == "not-your-turn"
    assert run(NO_DOUBLES, actions=["1 6-3"])["ends"] == {"left": 6, "right": 3}


def test_a_named_opener_opens_with_any_tile() -> None:
    assert run(NO_DOUBLES, opener=2)["legal"][0] == "5-4@start"
    assert len(run(NO_DOUBLES, opener=2)["legal"]) == 7


def test_a_refusal_keeps_the_result_so_far_and_counts_actions_from_zero() -> None:
    result = run(NO_DOUBLES, actions=["1 6-3", "2 dance", "2 6-0@left"])
    assert result["refused"]["action"] == 1
    assert result["refused"]["reason"] == "unknown-action"
    assert types(result) == ["tile-played"]
    assert result["to_move"] == 2


def test_draws_and_passes_happen_by_themselves_where_they_are_forced() -> None:
    position = {
        "ruleset": {"preset": "draw"},
        "deal": {"hands": ["5-5", "6-2 1-1"], "boneyard": "4-4 3-3"},
        "layout": ["6-6@start"],
        "to_move": 1,
    }
    result = run(position)
    assert result["events"] == [
        {"type": "tiles-drawn", "seat": 1, "tiles": "4-4 3-3"},
        {"type": "passed", "seat": 1},
    ]
    assert (result["to_move"], result["hands"], result["boneyard"]) == (2, ["5-5 4-4 3-3", "6-2 1-1"], "")
    by_hand = run(position, forced="manual")
    assert (by_hand["events"], by_hand["legal"]) == ([], ["draw"])
    drawn = run(position, forced="manual", actions=["1 draw"])
    assert drawn["legal"] == ["pass"]


def test_a_round_is_blocked_at_as_many_passes_in_a_row_as_there_are_seats() -> None:
    result = run(
        {
            "ruleset": {"preset": "block"},
            "deal": {"hands": ["5-5 4-4", "3-3 2-2", "1-1 0-0"]},
            "opener": 1,
            "actions": ["1 5-5"],
        }
    )
    assert types(result) == ["tile-played", "passed", "passed", "passed", "round-ended"]
    assert [event["seat"] for event in result["events"][1:4]] == [2, 3, 1]
    assert (result["status"], result["to_move"], result["legal"]) == ("round-ended", None, [])
    assert result["scores"] == [0, 0, 16]


def test_after_the_end_of_the_round_or_of_the_match_there_is_a_reason_of_its_own() -> None:
    position = {
        "ruleset": {"preset": "draw"},
        "deal": {"hands": ["6-2", "5-5"], "boneyard": ""},
        "layout": ["6-6@start"],
        "to_move": 1,
        "actions": ["1 6-2@left", "2 5-5"],
    }
    over = run(position)
    assert (over["refused"]["reason"], over["status"], over["hands"]) == ("round-over", "round-ended", ["", "5-5"])
    won = run(position, scores=[95, 0])
    assert (won["refused"]["reason"], won["status"]) == ("match-over", "match-ended")


def test_the_next_deal_follows_at_once() -> None:
    result = run(
        {
            "ruleset": {"preset": "draw"},
            "deal": {"hands": ["6-6", "5-5"], "boneyard": ""},
            "actions": ["1 6-6"],
            "next_deal": [
                {"hands": ["4-4", "3-3 1-1"], "boneyard": ""},
                {"hands": ["5-4", "2-2 1-1"], "opener": 2},
            ],
        }
    )
    assert types(result) == ["tile-played", "round-ended"]
    assert (result["status"], result["to_move"], result["legal"]) == ("playing", 1, ["4-4@start"])
    assert result["scores"] == [10, 0]


def test_a_house_opening_counts_as_a_play_of_its_holder() -> None:
    result = run({"ruleset": {"preset": "duel-draw"}, "deal": {"hands": ["6-6 1-0", "6-1 5-5"]}})
    (event,) = result["events"]
    assert (event["seat"], event["tile"], event["by"], result["to_move"]) == (1, "6-6", "house", 2)


def test_a_clock_that_runs_out_loses_whatever_the_score() -> None:
    duel = {
        "ruleset": {"preset": "duel-draw"},
        "deal": {"hands": ["6-6 5-5", "4-4 3-3"], "boneyard": "2-2 1-1 6-1 0-0"},
        "scores": [0, 95],
        "actions": ["2 draw", "2 flag"],
    }
    result = run(duel)
    assert result["events"][-1] == {"type": "match-ended", "reason": "clock", "winner": [1], "scores": [0, 95]}
    assert (result["hands"][1], result["boneyard"]) == ("4-4 3-3 2-2 1-1 6-1", "0-0")
    assert run(duel, actions=["2 timeout"])["refused"]["reason"] == "unknown-action"


def test_the_last_tiles_own_points_can_end_the_match_without_a_round_end() -> None:
    position = {
        "ruleset": {"preset": "all-fives", "target": 100},
        "deal": {"hands": ["5-3", "6-6"], "boneyard": ""},
        "scores": [90, 95],
        "layout": ["5-4@start", "4-3@right"],
        "to_move": 1,
    }
    on_three = run(position, actions=["1 5-3@right"])
    assert types(on_three) == ["tile-played", "match-ended"]
    assert on_three["scores"] == [100, 95]
    on_five = run(position, actions=["1 5-3@left"])
    assert types(on_five) == ["tile-played", "round-ended", "match-ended"]
    assert [event.get("points") for event in on_five["events"][:2]] == [0, 10]
    assert on_five["scores"] == [100, 95]


@pytest.mark.parametrize(("to_move", "opener", "next_opener"), [(3, 2, 3), (3, None, 2), (1, None, 3), (1, 3, 1)])
def test_in_a_position_the_opener_is_given_or_counted_back(to_move: int, opener: int | None, next_opener: int) -> None:
    result = run(
        {
            "ruleset": {"preset": "party"},
            "deal": {"hands": ["5-5", "4-4 1-1", "5-3 2-2"]},
            "layout": ["6-6@start", "6-0@right"],
            "to_move": to_move,
            "opener": opener,
            "forced": "auto",
        }
    )
    ended = result["events"][-1]
    assert (ended["winner"], ended["next_opener"]) == (None, next_opener)


def test_the_previous_round_says_who_opens() -> None:
    won = run(NO_DOUBLES, previous={"winner": 2, "tied": False, "opener": 1}, round=2)
    assert (won["to_move"], len(won["legal"])) == (2, 7)
    tied = run(NO_DOUBLES, previous={"winner": None, "tied": True, "opener": 2}, round=2)
    assert (tied["to_move"], tied["legal"]) == (1, ["6-3@start"])
    party = {**NO_DOUBLES, "ruleset": {"preset": "party"}}
    after_tie = run(party, previous={"winner": None, "tied": True, "opener": 1})
    assert (after_tie["to_move"], len(after_tie["legal"])) == (2, 7)


def test_tiles_aside_are_the_rest_heaviest_first_or_as_printed() -> None:
    block = {"ruleset": {"preset": "block"}, "deal": {"hands": ["6-6 6-5", "5-5 6-4"]}}
    assert run(block)["boneyard"].startswith("6-3 5-4 6-2 5-3 4-4 6-1")
    assert len(run(block)["boneyard"].split()) == 24
    printed = run(block, deal={"hands": ["6-6 6-5", "5-5 6-4"], "boneyard": "1-0 4-4"})
    assert printed["boneyard"] == "1-0 4-4"
    assert run({**block, "ruleset": {"preset": "draw"}})["boneyard"] == ""
