import random
from dataclasses import fields
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules import Match, Refusal, Ruleset, RulesetError, deal, decide, evolve, legal_actions, new_match
from domino_rules.ruleset import PRESETS, SEATS, YOUNGER
from domino_rules.tiles import TILES


@pytest.mark.parametrize(
    ("preset", "seats", "hand_size", "drawing"),
    [("draw", 2, 7, True), ("draw", 3, 5, True), ("draw", 4, 5, True)]
    + [("block", seats, 7, False) for seats in (2, 3, 4)]
    + [("duel-draw", 2, 7, True), ("all-fives", 2, 7, True), ("party", 4, 7, False)],
)
def test_a_preset_sets_the_hands_and_the_drawing(preset: str, seats: int, hand_size: int, drawing: bool) -> None:
    ruleset = Ruleset.of(preset, seats)
    assert (ruleset.hand_size, ruleset.drawing) == (hand_size, drawing)


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("preset", {"preset": "chess"}),
        ("preset", {"preset": 7}),
        ("preset", {}),
        ("seats", {"preset": "draw", "seats": 1}),
        ("seats", {"preset": "draw", "seats": 5}),
        ("seats", {"preset": "draw", "seats": True}),
        ("seats", {"preset": "duel-draw", "seats": 3}),
        ("target", {"preset": "draw", "target": 0}),
        ("target", {"preset": "draw", "target": "100"}),
        ("target", {"preset": "draw", "target": None}),
        ("pairs", {"preset": "party", "seats": 3, "pairs": True}),
        ("pairs", {"preset": "party", "seats": 4, "pairs": 1}),
        ("drawing", {"preset": "block", "drawing": "yes"}),
        ("hand_size", {"preset": "draw", "seats": 4, "hand_size": 8}),
        ("hand_size", {"preset": "draw", "hand_size": 0}),
        ("round_cap", {"preset": "draw", "round_cap": 0}),
        ("tie_at_cap", {"preset": "draw", "tie_at_cap": "coin"}),
        ("tie_at_cap", {"preset": "draw", "tie_at_cap": ["drawn"]}),
        ("boneyard_reserve", {"preset": "draw", "boneyard_reserve": -1}),
        ("spinner", {"preset": "draw", "spinner": None}),
        ("colour", {"preset": "draw", "colour": "red"}),
        ("cls", {"preset": "draw", "cls": 1}),
        ("pairs", {"preset": "draw", "pairs": True}),
        ("hand_size", {"preset": "party", "seats": 3, "hand_size": 10}),
        ("hand_size", {"preset": "block", "hand_size": 7.0}),
        ("boneyard_reserve", {"preset": "draw", "boneyard_reserve": 29}),
        ("forced", {"preset": "draw", "forced": None}),
        ("turn_ms", {"preset": "draw", "turn_ms": 0}),
        ("clock_ms", {"preset": "duel-draw", "clock_ms": -1}),
        ("clock_ms", {"preset": "draw", "clock_ms": 600_000}),
        ("pause_ms", {"preset": "party", "pause_ms": "long"}),
        ("out_of_time", {"preset": "party", "out_of_time": "lose"}),
        ("next_round", {"preset": "party", "next_round": "guest"}),
    ],
)
def test_an_impossible_option_is_named_with_what_was_expected_and_what_came(
    field: str, options: dict[str, Any]
) -> None:
    with pytest.raises(RulesetError) as raised:
        Ruleset.from_json(options)
    assert raised.value.field == field
    assert f"{field}: expected " in str(raised.value)
    assert repr(options.get(field)) in str(raised.value)


def test_every_preset_with_every_number_of_seats_comes_back_from_its_json() -> None:
    for preset in PRESETS:
        fewest, most = SEATS[preset]
        for seats in range(fewest, most + 1):
            ruleset = Ruleset.of(preset, seats, target=75, spinner=True)
            assert Ruleset.from_json(ruleset.to_json()) == ruleset


@pytest.mark.parametrize(
    ("preset", "younger"),
    [("draw", {}), ("block", {}), ("party", {"out_of_time": "this-turn", "next_round": "host"}), ("all-fives", {})],
)
def test_an_option_younger_than_the_first_logs_is_written_where_it_is_not_the_presets_own(
    preset: str, younger: dict[str, Any]
) -> None:
    assert not YOUNGER.keys() & Ruleset.of(preset, **younger).to_json().keys()
    for name in YOUNGER:
        for value in OPTIONS[name]:
            ruleset = Ruleset.from_json({"preset": preset, name: value})
            assert Ruleset.from_json(ruleset.to_json()) == ruleset
            assert (name in ruleset.to_json()) == (ruleset != Ruleset.of(preset))


OPTIONS: dict[str, list[Any]] = {
    "seats": [2, 3, 4],
    "pairs": [True, False],
    "target": [1, 100, 500],
    "drawing": [True, False],
    "hand_size": [1, 5, 7, 9, 14],
    "spinner": [True, False],
    "round_cap": [None, 1, 20],
    "tie_at_cap": ["drawn", "extra-rounds"],
    "boneyard_reserve": [0, 2, 28],
    "stop_on_dead_end": [True, False],
    "forced": ["auto", "manual"],
    "opening": ["highest-double", "house", "lot"],
    "after_win": ["winner", "as-first"],
    "after_tie": ["as-first", "next-seat"],
    "blocked": ["minus-own", "opponents"],
    "fives": [True, False],
    "turn_ms": [None, 20_000],
    "clock_ms": [None, 600_000],
    "pause_ms": [0, 8_000],
    "out_of_time": ["autopilot", "this-turn"],
    "next_round": ["all", "host"],
}
NONSENSE: list[Any] = [0, -1, 29, 1.5, "maybe", "", None, [], {}]
good_options = st.fixed_dictionaries(
    {"preset": st.sampled_from(list(PRESETS))},
    optional={name: st.sampled_from(values) for name, values in OPTIONS.items()},
)
bad_options = st.dictionaries(st.sampled_from([*OPTIONS, "preset", "colour"]), st.sampled_from(NONSENSE), max_size=1)
some_options = st.builds(lambda good, bad: {**good, **bad}, good_options, st.one_of(st.just({}), bad_options))


def test_every_option_is_among_those_that_are_combined() -> None:
    assert {field.name for field in fields(Ruleset)} == {"preset", *OPTIONS}


@settings(max_examples=600, deadline=None)
@given(some_options, st.randoms(use_true_random=False))
def test_every_combination_of_options_is_a_ruleset_that_can_be_played_or_names_a_field(
    options: dict[str, Any], chance: random.Random
) -> None:
    made = _made(options)
    if isinstance(made, RulesetError):
        assert made.field in {*options, "seats", "hand_size", "clock_ms"}
        assert made.field not in options or made.got == options[made.field]
        assert str(made) == f"{made.field}: expected {made.expected}, got {made.got!r}"
    else:
        assert Ruleset.from_json(made.to_json()) == made
        assert _played_round(made, chance).status != "playing"


def _made(options: dict[str, Any]) -> Ruleset | RulesetError:
    try:
        return Ruleset.from_json(options)
    except RulesetError as error:
        return error


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("switches", list(product([False, True], repeat=3)), ids=str)
def test_pairs_spinner_and_drawing_go_with_every_preset_whose_seats_allow_them(
    preset: str, switches: tuple[bool, bool, bool]
) -> None:
    pairs, spinner, drawing = switches
    fewest, most = SEATS[preset]
    for seats in range(fewest, most + 1):
        if pairs and seats != 4:
            with pytest.raises(RulesetError, match=r"^pairs: expected false with"):
                Ruleset.of(preset, seats, pairs=pairs, spinner=spinner, drawing=drawing)
        else:
            ruleset = Ruleset.of(preset, seats, pairs=pairs, spinner=spinner, drawing=drawing)
            assert (ruleset.pairs, ruleset.spinner, ruleset.drawing) == switches


def _played_round(ruleset: Ruleset, chance: random.Random) -> Match:
    tiles = list(TILES)
    chance.shuffle(tiles)
    size = ruleset.hand_size
    hands = tuple(tuple(tiles[seat * size : (seat + 1) * size]) for seat in range(ruleset.seats))
    match = new_match(ruleset)
    for event in deal(match, hands, tuple(tiles[ruleset.seats * size :]), 1 if ruleset.opening == "lot" else None):
        match = evolve(match, event)
    while match.status == "playing":
        events = decide(match, chance.choice(legal_actions(match)))
        assert not isinstance(events, Refusal)
        for event in events:
            match = evolve(match, event)
    return match


def test_options_that_are_absent_are_the_presets() -> None:
    assert Ruleset.from_json({"preset": "duel-draw"}) == Ruleset.of("duel-draw", 2)


def test_single_seats_are_sides_of_their_own_and_pairs_sit_opposite() -> None:
    assert Ruleset.of("block", 3).sides == ((1,), (2,), (3,))
    pairs = Ruleset.of("party", 4, pairs=True)
    assert pairs.sides == ((1, 3), (2, 4))
    assert [pairs.side_of(seat) for seat in (1, 2, 3, 4)] == [0, 1, 0, 1]


def test_after_the_last_seat_the_first_is_next() -> None:
    assert [Ruleset.of("block", 3).next_seat(seat) for seat in (1, 2, 3)] == [2, 3, 1]
