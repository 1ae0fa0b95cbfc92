from typing import Any

import pytest

from domino_rules import Ruleset, RulesetError
from domino_rules.public_play import (
    PUBLIC_CHOICES,
    PUBLIC_CLOCK_MS,
    PUBLIC_TARGETS,
    PUBLIC_TURN_MS,
    check_public,
    public_ruleset,
)
from domino_rules.ruleset import PRESETS, SEATS

MINUTE = 60_000


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_is_played_in_public_to_each_target_and_time_of_its_row(preset: str) -> None:
    fewest, most = SEATS[preset]
    times: list[dict[str, Any]] = [{"turn_ms": time} for time in PUBLIC_TURN_MS.get(preset, ())]
    times += [{"clock_ms": time} for time in PUBLIC_CLOCK_MS.get(preset, ())]
    assert times
    for seats in range(fewest, most + 1):
        for target in PUBLIC_TARGETS[preset]:
            for time in times:
                ruleset = Ruleset.of(preset, seats, target=target, **time)
                assert public_ruleset(ruleset.to_json()) == ruleset


@pytest.mark.parametrize("preset", PRESETS)
def test_the_time_that_is_a_presets_own_is_one_of_its_row(preset: str) -> None:
    check_public(Ruleset.of(preset))


@pytest.mark.parametrize(
    ("preset", "chosen"),
    [
        ("all-fives", {"spinner": True}),
        ("party", {"pairs": True, "seats": 4}),
        ("party", {"drawing": True}),
        ("party", {"drawing": True, "pairs": True, "seats": 4}),
    ],
)
def test_a_row_leaves_these_options_open(preset: str, chosen: dict[str, Any]) -> None:
    public_ruleset({"preset": preset, **chosen})


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("target", {"preset": "draw", "target": 99}),
        ("target", {"preset": "all-fives", "target": 150}),
        ("target", {"preset": "party", "target": 50}),
        ("turn_ms", {"preset": "draw", "turn_ms": 15_000}),
        ("turn_ms", {"preset": "party", "turn_ms": 20_000}),
        ("turn_ms", {"preset": "party", "turn_ms": None}),
        ("clock_ms", {"preset": "duel-draw", "clock_ms": 4 * MINUTE}),
        ("turn_ms", {"preset": "all-fives", "clock_ms": None, "turn_ms": 20_000}),
        ("pairs", {"preset": "draw", "seats": 4, "pairs": True}),
        ("spinner", {"preset": "duel-draw", "spinner": True}),
        ("drawing", {"preset": "block", "drawing": True}),
        ("drawing", {"preset": "draw", "drawing": False}),
        ("hand_size", {"preset": "draw", "hand_size": 6}),
        ("tie_at_cap", {"preset": "all-fives", "tie_at_cap": "extra-rounds"}),
        ("forced", {"preset": "party", "forced": "auto"}),
        ("pause_ms", {"preset": "block", "pause_ms": 0}),
        ("boneyard_reserve", {"preset": "draw", "boneyard_reserve": 2}),
    ],
)
def test_what_public_play_does_not_take_is_named_with_what_it_takes(field: str, options: dict[str, Any]) -> None:
    with pytest.raises(RulesetError) as raised:
        public_ruleset(options)
    assert raised.value.field == field
    assert raised.value.expected.endswith("in public play")
    Ruleset.from_json(options)


def test_a_refusal_lists_what_may_be_chosen() -> None:
    with pytest.raises(RulesetError, match=r"^target: expected one of 100, 250, 500 in public play, got 50$"):
        public_ruleset({"preset": "duel-draw", "target": 50})
    with pytest.raises(RulesetError, match=r"^spinner: expected false in public play, got True$"):
        public_ruleset({"preset": "party", "spinner": True})


def test_every_preset_has_a_row() -> None:
    assert PUBLIC_TARGETS.keys() == PUBLIC_CHOICES.keys() == PRESETS.keys()
    assert PUBLIC_TURN_MS.keys() | PUBLIC_CLOCK_MS.keys() == PRESETS.keys()
    assert not PUBLIC_TURN_MS.keys() & PUBLIC_CLOCK_MS.keys()
