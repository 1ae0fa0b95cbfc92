from typing import Any

import pytest

from domino_rules import Ruleset, RulesetError
from domino_rules.ruleset import PRESETS, SEATS


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


def test_options_that_are_absent_are_the_presets() -> None:
    assert Ruleset.from_json({"preset": "duel-draw"}) == Ruleset.of("duel-draw", 2)


def test_single_seats_are_sides_of_their_own_and_pairs_sit_opposite() -> None:
    assert Ruleset.of("block", 3).sides == ((1,), (2,), (3,))
    pairs = Ruleset.of("party", 4, pairs=True)
    assert pairs.sides == ((1, 3), (2, 4))
    assert [pairs.side_of(seat) for seat in (1, 2, 3, 4)] == [0, 1, 0, 1]


def test_after_the_last_seat_the_first_is_next() -> None:
    assert [Ruleset.of("block", 3).next_seat(seat) for seat in (1, 2, 3)] == [2, 3, 1]
