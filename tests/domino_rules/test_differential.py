"""The library against a second, plain writing of the same rules: random scenarios by its runner, and whole matches.

Each run takes others. CAPICUA_SEED=7 takes those of seed 7, and every failure prints its seed; CAPICUA_MATCHES=10000
plays that many whole matches of each preset, and three times as many scenarios.
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
from tests.domino_rules.both import Both
from tests.domino_rules.reference.damage import DAMAGES, Damage, spoiled
from tests.domino_rules.reference.happenings import happenings
from tests.domino_rules.reference.scenarios import random_scenario
from tests.domino_rules.reference.shrink import shrunk
from tests.domino_rules.reference.whole_matches import whole_ruleset

PRESETS = ("draw", "block", "duel-draw", "all-fives", "party")
MATCHES = int(os.environ.get("CAPICUA_MATCHES", "500"))
SEED = int(os.environ.get("CAPICUA_SEED", random.SystemRandom().randrange(1_000_000)))
SCENARIOS_A_MATCH = 3
SCENARIOS_MAX = 20_000
"""After so many something rare must have happened."""
BY_RUNNER = 10
"""Of so many whole matches one is played through the runner, too."""

# A long run takes what it takes.
pytestmark = [pytest.mark.servers, pytest.mark.timeout(180 if MATCHES <= 500 else 0)]


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


def random_scenarios(library: Library, preset: str) -> Iterator[Counter[str]]:
    """Compares one scenario after the other, without end; each time what happened in it."""
    chance = random.Random(f"scenarios {preset} {SEED}")
    while True:
        scenario = random_scenario(chance, [preset])
        if chance.random() < 0.1:
            scenario = spoiled(chance, scenario)
        yield Counter(happenings(scenario, compare(library, scenario)))


def whole_matches(library: Library, preset: str) -> Counter[str]:
    """Play matches to their end with both; the answer counts what happened in them."""
    chance = random.Random(f"whole matches {preset} {SEED}")
    seen: Counter[str] = Counter()
    for number in range(MATCHES):
        both = Both(chance, whole_ruleset(chance, preset), chance.choice([None, None, "auto", "manual"]))
        seen.update(happenings(both.scenario, both.play()))
        seen.update(f"refused: {reason}" for reason in both.refusals)
        seen["opened by lot"] += both.lots
        if number % BY_RUNNER == 0:
            assert compare(library, both.scenario)["status"] == "match-ended"
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
EVERYWHERE = [
    "malformed",
    "out",
    "blocked",
    "blocked and tied",
    "blocked right after the opening",
    "pass right after an opening",
    "dead ends",
    "draw of one tile",
    "draw of several tiles",
    "draw in vain",
    "further deal",
    "match end: target",
    "match end: round-cap",
    "match drawn",
    "extra round",
    "round with four ends",
    *(f"refused: {reason}" for reason in REFUSALS),
]
WHERE_ONE_DRAWS = ["pass with tiles left: stop_on_dead_end", "pass with tiles left: boneyard_reserve"]
WITH_TURN_TIMER = ["forced opening", "refused: must-open-with", "timeout", "blocked in pairs", "out in pairs"]
WITH_MATCH_CLOCK = ["match end: clock", "match ended within a round by clock"]
LEAST: dict[str, list[str]] = {
    "draw": [*EVERYWHERE, *WHERE_ONE_DRAWS, *WITH_TURN_TIMER, "events before the first action"],
    "block": [*EVERYWHERE, *WITH_TURN_TIMER, "events before the first action"],
    "duel-draw": [*EVERYWHERE, *WHERE_ONE_DRAWS, *WITH_MATCH_CLOCK, "house opening"],
    "all-fives": [
        *EVERYWHERE,
        *WHERE_ONE_DRAWS,
        *WITH_MATCH_CLOCK,
        "opened by lot",
        "play with points",
        "won for nothing",
        "match ended within a round by target",
        "last tile ends the match by its points",
    ],
    "party": [
        *EVERYWHERE,
        *WHERE_ONE_DRAWS,
        *WITH_TURN_TIMER,
        "blocked and tied in pairs",
        "won by equal partners of whom one played last",
    ],
}


@pytest.mark.parametrize("preset", PRESETS)
def test_both_give_the_same_results_and_everything_worth_a_test_happens(library: Library, preset: str) -> None:
    print(f"\nCAPICUA_SEED={SEED}")  # noqa: T201 - shown when it fails, and by make differential
    seen = whole_matches(library, preset)
    for number, happened in enumerate(random_scenarios(library, preset), start=1):
        seen.update(happened)
        missing = [what for what in LEAST[preset] if not seen[what]]
        if number >= SCENARIOS_A_MATCH * MATCHES and (not missing or number >= SCENARIOS_MAX):
            break
    print(preset, *(f"  {what}: {times}" for what, times in sorted(seen.items())), sep="\n")  # noqa: T201
    assert missing == []


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
