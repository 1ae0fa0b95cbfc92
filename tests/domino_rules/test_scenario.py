from typing import Any

import pytest

from domino_rules.reading import Malformed
from domino_rules.runner import run_scenario
from domino_rules.scenario import read_scenario

GOOD: dict[str, Any] = {
    "ruleset": {"preset": "draw"},
    "deal": {"hands": ["6-6 1-0", "5-5 6-1"], "boneyard": "4-4"},
}
LYING: dict[str, Any] = {"layout": ["6-4@start", "6-3@left"], "to_move": 2}


def malformed(body: object) -> str:
    with pytest.raises(Malformed) as raised:
        run_scenario(read_scenario(body))
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize("body", [None, 7, "text", [GOOD], True])
def test_a_scenario_is_an_object(body: object) -> None:
    assert malformed(body).startswith("scenario: expected an object, got ")


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"ruleset": None}, "ruleset"),
        ({"ruleset": "draw"}, "ruleset"),
        ({"ruleset": {}}, "ruleset.preset"),
        ({"ruleset": {"preset": "whist"}}, "ruleset.preset"),
        ({"ruleset": {"preset": "draw", "forced": "auto"}}, "ruleset.forced"),
        ({"ruleset": {"preset": "draw", "opening": "lot"}}, "ruleset.opening"),
        ({"ruleset": {"preset": "draw", "colour": 1}}, "ruleset.colour"),
        ({"ruleset": {"preset": "draw", "two\nlines": 1}}, r"ruleset.'two\nlines'"),
        ({"ruleset": {"preset": "draw", "seats": 5}}, "ruleset.seats"),
        ({"ruleset": {"preset": "draw", "seats": 2.0}}, "ruleset.seats"),
        ({"ruleset": {"preset": "draw", "seats": 3}}, "deal.hands"),
        ({"ruleset": {"preset": "draw", "pairs": True}}, "ruleset.pairs"),
        ({"ruleset": {"preset": "draw", "target": 0}}, "ruleset.target"),
        ({"deal": None}, "deal"),
        ({"deal": {}}, "deal.hands"),
        ({"deal": {"hands": "6-6"}}, "deal.hands"),
        ({"deal": {"hands": []}}, "ruleset.seats"),
        ({"deal": {"hands": ["6-6", 5]}}, "deal.hands[1]"),
        ({"deal": {"hands": ["6-6", "3-6"]}}, "deal.hands[1]"),
        ({"deal": {"hands": ["6-6", " "]}}, "deal.hands[1]"),
        ({"deal": {"hands": ["6-6", "6-5 6-6"]}}, "deal"),
        ({"deal": {"hands": ["6-6", "6-5"], "boneyard": "1-0 6-5"}}, "deal"),
        ({"deal": {"hands": ["6-6", "6-5"], "boneyard": ["1-0"]}}, "deal.boneyard"),
        ({"opener": 3}, "opener"),
        ({"opener": 0}, "opener"),
        ({"opener": "1"}, "opener"),
        ({"scores": [0]}, "scores"),
        ({"scores": [0, -1]}, "scores[1]"),
        ({"scores": [100, 0]}, "scores[0]"),
        ({"scores": [True, 0]}, "scores[0]"),
        ({"round": 0}, "round"),
        ({"round": "1"}, "round"),
        ({"forced": "never"}, "forced"),
        ({"previous": []}, "previous"),
        ({"previous": {"winner": 5, "tied": False, "opener": 1}}, "previous.winner"),
        ({"previous": {"winner": 1, "tied": True, "opener": 1}}, "previous"),
        ({"previous": {"winner": None, "tied": False, "opener": 1}}, "previous"),
        ({"previous": {"winner": 1, "tied": 0, "opener": 1}}, "previous.tied"),
        ({"layout": LYING["layout"]}, "to_move"),
        ({"to_move": 1}, "to_move"),
        ({**LYING, "to_move": 3}, "to_move"),
        ({**LYING, "layout": ["6-4@left"]}, "layout[0]"),
        ({**LYING, "layout": ["6-4@start", "5-3@left"]}, "layout[1]"),
        ({**LYING, "layout": ["6-4@start", "6-3@right"]}, "layout[1]"),
        ({**LYING, "layout": ["6-4@start", "6-3@start"]}, "layout[1]"),
        ({**LYING, "layout": ["6-4@start", "6-3@up"]}, "layout[1]"),
        ({**LYING, "layout": ["6-4@start", 5]}, "layout[1]"),
        ({**LYING, "layout": ["6-6@start"]}, "deal"),
        ({**LYING, "layout": ["6-4@start", "6-4@left"]}, "layout[1]"),
        ({"next_deal": {}}, "next_deal"),
        ({"next_deal": [GOOD["deal"], {"hands": ["6-6"]}]}, "next_deal[1].hands"),
        ({"next_deal": [{"hands": ["6-6", "6-6"]}]}, "next_deal[0]"),
        ({"next_deal": [{**GOOD["deal"], "opener": 9}]}, "next_deal[0].opener"),
        ({"actions": "1 6-6"}, "actions"),
        ({"actions": ["1 6-6", 2]}, "actions[1]"),
    ],
)
def test_a_malformed_scenario_says_where_and_why(changes: dict[str, Any], where: str) -> None:
    assert malformed({**GOOD, **changes}).split(": ")[0] == where


@pytest.mark.parametrize("field", ["ruleset", "deal"])
def test_what_is_missing_is_named(field: str) -> None:
    body = {name: value for name, value in GOOD.items() if name != field}
    assert malformed(body) == f"{field}: expected it to be there, got nothing"


def test_unknown_other_fields_are_ignored_and_a_null_is_as_good_as_absent() -> None:
    plain = run_scenario(read_scenario(GOOD))
    decorated = {**GOOD, "comment": "look", "opener": None, "layout": None, "previous": None, "scores": None}
    assert run_scenario(read_scenario(decorated)) == plain


def test_where_a_lot_decides_an_opener_must_be_given() -> None:
    fives = {**GOOD, "ruleset": {"preset": "all-fives"}}
    assert malformed(fives).startswith("opener: ")
    assert run_scenario(read_scenario({**fives, "opener": 2}))["to_move"] == 2
    assert run_scenario(read_scenario({**fives, "previous": {"winner": 1, "tied": False, "opener": 2}}))["to_move"] == 1
    tied = {"winner": None, "tied": True, "opener": 2}
    assert malformed({**fives, "previous": tied}).startswith("opener: ")


def test_a_further_deal_by_lot_needs_its_opener_too() -> None:
    body = {
        "ruleset": {"preset": "all-fives"},
        "deal": {"hands": ["4-4", "5-3"]},
        "layout": ["6-6@start"],
        "to_move": 1,
        "forced": "auto",
        "next_deal": [GOOD["deal"]],
    }
    assert malformed(body).startswith("next_deal.opener: ")
    assert run_scenario(read_scenario({**body, "next_deal": [{**GOOD["deal"], "opener": 2}]}))["to_move"] == 2


def test_seats_are_the_number_of_hands_unless_given() -> None:
    assert read_scenario(GOOD).ruleset.seats == 2
    three = {**GOOD, "deal": {"hands": ["6-6", "5-5", "4-4"]}}
    assert read_scenario(three).ruleset.seats == 3
    assert read_scenario(GOOD).ruleset.target == 100


def test_plays_that_already_lie_make_no_events_and_no_points() -> None:
    fives = {**GOOD, "ruleset": {"preset": "all-fives"}, "layout": ["5-0@start"], "to_move": 2, "forced": "manual"}
    fives["deal"] = {"hands": ["6-6", "5-5"], "boneyard": ""}
    result = run_scenario(read_scenario(fives))
    assert (result["events"], result["scores"], result["ends"]) == ([], [0, 0], {"left": 5, "right": 0})
