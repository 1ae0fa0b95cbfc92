"""Ways to spoil a scenario so that it is malformed."""

import copy
import random
from collections.abc import Callable
from typing import Any

Damage = Callable[[dict[str, Any]], Any]


def put(*path_and_value: Any) -> Damage:
    """Sets what lies at a path in the scenario."""
    *path, name, value = path_and_value

    def spoil(scenario: dict[str, Any]) -> None:
        place: Any = scenario
        for step in path:
            place = place[step]
        place[name] = value

    return spoil


def take_out(*path: str) -> Damage:
    def spoil(scenario: dict[str, Any]) -> None:
        place = scenario
        for step in path[:-1]:
            place = place[step]
        place.pop(path[-1], None)

    return spoil


def deal_twice(scenario: dict[str, Any]) -> None:
    hands = scenario["deal"]["hands"]
    hands[0] += " " + hands[-1].split()[0]


SCORES: list[Any] = [[0], [0, 0, 0, 0, 0], [-1, 0], [1000, 0], [0, "0"], 7]
PREVIOUS: list[Any] = [[], {"winner": 7, "tied": False, "opener": 1}, "seat 1"]
LAYOUTS: list[Any] = [["6-6@left"], ["6-6@start", "5-4@left"], ["6-6@start", "6-5@up"], ["6-6@start", 7], "6-6@start"]
DEALS: list[Any] = [{}, [{}], [{"hands": ["6-6", "6-6"]}], [7]]

DAMAGES: list[Damage] = [
    take_out("ruleset"),
    take_out("ruleset", "preset"),
    take_out("deal"),
    take_out("deal", "hands"),
    deal_twice,
    *(put("ruleset", "preset", value) for value in ("chess", 3, None)),
    *(put("ruleset", "seats", value) for value in (0, 1, 5, "2", 2.5, True)),
    *(put("ruleset", "target", value) for value in (0, -5, "100", True)),
    *(put("ruleset", "spinner", value) for value in ("yes", 1)),
    *(put("ruleset", "pairs", value) for value in ("yes", 2)),
    *(put("ruleset", "drawing", value) for value in ("no", 0)),
    *(put("ruleset", "round_cap", value) for value in (0, -1, "20")),
    *(put("ruleset", "tie_at_cap", value) for value in ("sudden-death", True)),
    *(put("ruleset", "boneyard_reserve", value) for value in (-1, "2")),
    put("ruleset", "stop_on_dead_end", "on"),
    *(put("ruleset", "hand_size", value) for value in (0, "7")),
    put("ruleset", "colour", "green"),
    *(put("deal", "hands", 0, value) for value in ("", "3-6", "7-1", "66", "6-6,5-5", 66)),
    put("deal", "hands", "6-6 5-5"),
    put("deal", "hands", ["6-6"]),
    *(put("deal", "boneyard", value) for value in ("6-7", ["6-6"], 7)),
    *(put("opener", value) for value in (0, 5, "1")),
    *(put("scores", value) for value in SCORES),
    *(put("round", value) for value in (0, -1, "1", 1.5)),
    *(put("forced", value) for value in ("sometimes", True)),
    *(put("previous", value) for value in PREVIOUS),
    *(put("layout", value) for value in LAYOUTS),
    take_out("to_move"),
    *(put("to_move", value) for value in (0, 5, "1")),
    *(put("next_deal", value) for value in DEALS),
    *(put("actions", value) for value in ("1 5-5", [7])),
]


def spoiled(chance: random.Random, scenario: dict[str, Any]) -> dict[str, Any]:
    """The scenario with one damage; now and then it is still none."""
    changed = copy.deepcopy(scenario)
    chance.choice(DAMAGES)(changed)
    return changed
