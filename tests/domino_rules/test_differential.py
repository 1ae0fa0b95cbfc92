"""The library against a second, plain writing of the same rules: whole results of random scenarios, by its runner.

CAPICUA_SCENARIOS=20000 runs that many of each kind; CAPICUA_SCENARIOS_SEED=7 makes them others.
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.domino_rules import reference
from tests.domino_rules.reference.damage import DAMAGES, Damage, spoiled
from tests.domino_rules.reference.happenings import happenings
from tests.domino_rules.reference.scenarios import random_scenario
from tests.domino_rules.reference.shrink import shrunk

SCENARIOS = int(os.environ.get("CAPICUA_SCENARIOS", "0"))
SEED = int(os.environ.get("CAPICUA_SCENARIOS_SEED", "1"))

# A long run takes what it takes.
pytestmark = [pytest.mark.servers, pytest.mark.timeout(0 if SCENARIOS else 180)]


class Library:
    """One process of `python -m domino_rules serve`: a scenario a line, a result a line."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "domino_rules", "serve"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, line: str) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, f"the library's process ended at {line}"
        return json.loads(answer)

    def close(self) -> None:
        self.process.communicate(timeout=10)


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    process = Library()
    yield process
    process.close()


def by_reference(scenario: dict[str, Any]) -> dict[str, Any]:
    try:
        return reference.run(scenario)
    except reference.Malformed:
        return {"error": "malformed"}


def by_library(library: Library, scenario: dict[str, Any]) -> dict[str, Any]:
    """The library's result without the sentences in it, which are its own; that there is one is checked."""
    result: dict[str, Any] = library.answer(json.dumps(scenario))
    if "error" in result:
        assert set(result) == {"error"}
        assert result["error"].strip()
        return {"error": "malformed"}
    if "refused" in result:
        assert result["refused"].pop("message").strip()
    return result


def compare(library: Library, scenario: dict[str, Any]) -> dict[str, Any]:
    """The result that both give; fails with the smallest scenario to which they give different ones."""

    def differs(candidate: dict[str, Any]) -> bool:
        return by_library(library, candidate) != by_reference(candidate)

    expected = by_reference(scenario)
    if by_library(library, scenario) == expected:
        return expected
    smallest = shrunk(scenario, differs)
    lines = ["scenario", smallest, "reference", by_reference(smallest), "library", by_library(library, smallest)]
    raise AssertionError("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))


def compare_many(library: Library, presets: list[str], count: int) -> Counter[str]:
    """Compare that many random scenarios; the answer counts what happened in them."""
    chance = random.Random(f"{presets} {SEED}")
    seen: Counter[str] = Counter()
    for _ in range(max(SCENARIOS, count)):
        scenario = random_scenario(chance, presets)
        if chance.random() < 0.1:
            scenario = spoiled(chance, scenario)
        seen.update(happenings(scenario, compare(library, scenario)))
    return seen


REFUSALS = [
    "unknown-action",
    "match-over",
    "round-over",
    "not-your-turn",
    "tile-not-in-hand",
    "end-not-open",
    "does-not-fit",
    "end-needed",
    "must-play",
    "must-draw",
    "cannot-draw",
]
EVERYWHERE = {
    "malformed": 50,
    "out": 200,
    "blocked": 100,
    "blocked and tied": 10,
    "blocked right after the opening": 5,
    "pass right after an opening": 20,
    "dead ends": 10,
    "draw of one tile": 50,
    "draw of several tiles": 50,
    "draw in vain": 10,
    "further deal": 100,
    "events before the first action": 1,
    "match end: target": 50,
    "match end: round-cap": 20,
    "match drawn": 1,
    "extra round": 1,
    "pass with tiles left: stop_on_dead_end": 3,
    "pass with tiles left: boneyard_reserve": 3,
    "play with four ends": 100,
    **{f"refused: {reason}": 1 for reason in REFUSALS},
}
WITH_TURN_TIMER = {"forced opening": 100, "refused: must-open-with": 5, "timeout": 200, "blocked in pairs": 3}
WITH_MATCH_CLOCK = {
    "house opening": 100,
    "match end: clock": 20,
    "match ended within a round by target": 20,
    "match ended within a round by clock": 20,
    "last tile ends the match by its points": 1,
    "play with points": 200,
    "won for nothing": 10,
}


def too_rare(seen: Counter[str], least: dict[str, int]) -> dict[str, int]:
    return {what: seen[what] for what, times in least.items() if seen[what] < times}


def test_draw_and_block_give_the_plain_rules_results(library: Library) -> None:
    seen = compare_many(library, ["draw", "block"], 2500)
    assert not too_rare(seen, EVERYWHERE | WITH_TURN_TIMER)


def test_duel_draw_and_all_fives_give_the_plain_rules_results(library: Library) -> None:
    seen = compare_many(library, ["duel-draw", "all-fives"], 1500)
    assert not too_rare(seen, EVERYWHERE | WITH_MATCH_CLOCK)


def test_party_gives_the_plain_rules_results(library: Library) -> None:
    seen = compare_many(library, ["party"], 2000)
    assert not too_rare(
        seen,
        EVERYWHERE
        | WITH_TURN_TIMER
        | {"blocked and tied in pairs": 1, "out in pairs": 20, "won by equal partners of whom one played last": 2},
    )


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_spoiled_scenario_is_malformed_to_both(library: Library, damage: Damage) -> None:
    scenario = {"ruleset": {"preset": "draw", "seats": 2}, "deal": {"hands": ["6-5 6-4", "5-4 4-4"]}, "actions": []}
    scenario |= {"opener": 1, "layout": ["6-2@start"], "to_move": 1}
    assert "error" not in compare(library, scenario)
    damage(scenario)
    assert compare(library, scenario) == {"error": "malformed"}


def test_a_difference_is_told_by_its_smallest_scenario() -> None:
    scenario = {"ruleset": {"preset": "draw", "target": 50}, "deal": {"hands": ["6-6 5-5", "4-4 3-3"]}, "round": 2}
    scenario |= {"actions": ["1 6-6", "2 pass"]}
    smallest = shrunk(scenario, lambda candidate: "6-6" in str(candidate["deal"]) and len(candidate["actions"]) > 0)
    assert smallest == {"ruleset": {"preset": "draw"}, "deal": {"hands": ["6-6", ""]}, "actions": ["2 pass"]}
