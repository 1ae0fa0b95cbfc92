import json
from pathlib import Path
from typing import Any

import pytest
from tests.domino_rules.golden import FILES, golden_match, read_golden
from tests.domino_rules.matches import VARIANTS

from domino_rules import evolve, new_match
from domino_rules.events import MalformedEvent, UnknownEvent, from_json, game_event

PASSED: dict[str, Any] = {"type": "passed", "seat": 2}


def test_an_event_is_its_json() -> None:
    assert from_json(PASSED).to_json() == PASSED


@pytest.mark.parametrize("body", [{}, {"type": "tile-eaten"}, {"type": None}, {"type": ["passed"]}])
def test_a_foreign_type_has_an_error_of_its_own(body: dict[str, Any]) -> None:
    with pytest.raises(UnknownEvent) as raised:
        from_json(body)
    assert raised.value.tag == body.get("type")


@pytest.mark.parametrize(
    "body",
    [
        {"type": "passed"},
        {"type": "tiles-drawn", "seat": 1, "tiles": "3-6"},
        {"type": "tiles-drawn", "seat": 1, "tiles": None},
        {"type": "tile-played", "seat": 1},
    ],
)
def test_fields_that_cannot_be_read_are_an_error_that_repeats_no_content(body: dict[str, Any]) -> None:
    with pytest.raises(MalformedEvent) as raised:
        from_json(body)
    assert "3-6" not in str(raised.value)


def test_fields_of_a_newer_version_are_passed_over() -> None:
    assert from_json({**PASSED, "mood": "sad"}) == from_json(PASSED)


def test_ends_come_back_in_their_fixed_order() -> None:
    played = {
        "type": "tile-played",
        "seat": 1,
        "tile": "6-4",
        "end": "left",
        "ends": {"down": 1, "right": 2, "left": 4, "up": 1},
        "ends_total": 6,
        "points": 0,
        "scores": [0, 0],
    }
    assert list(from_json(played).to_json()["ends"]) == ["left", "right", "up", "down"]


def test_every_variant_has_its_golden_match() -> None:
    assert {file.stem for file in FILES} == set(VARIANTS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_match_is_still_decided_as_it_was(file: Path) -> None:
    assert [event.to_json() for event in golden_match(file.stem)] == read_golden(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_match_still_folds_to_its_result(file: Path) -> None:
    bodies = read_golden(file)
    events = [game_event(body) for body in bodies]
    assert [json.dumps(event.to_json()) for event in events] == [json.dumps(body) for body in bodies]
    match = new_match(VARIANTS[file.stem])
    for event in events:
        match = evolve(match, event)
    assert match.match_ended == events[-1]
    assert match.scores == tuple(bodies[-1]["scores"])
