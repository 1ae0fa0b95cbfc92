"""Makes a scenario smaller for as long as it keeps what is wrong with it."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

Scenario = dict[str, Any]


def shrunk(scenario: Scenario, still_wrong: Callable[[Scenario], bool]) -> Scenario:
    """The smallest scenario that single steps lead to; `still_wrong` holds for it as for the given one."""
    while True:
        smaller = next((candidate for candidate in smaller_ones(scenario) if still_wrong(candidate)), None)
        if smaller is None:
            return scenario
        scenario = smaller


def smaller_ones(scenario: Scenario) -> Iterator[Scenario]:
    for name in ("actions", "next_deal", "layout"):
        for index in range(len(scenario.get(name, []))):
            yield without(scenario, [name], index)
    for name in sorted(set(scenario) - {"ruleset", "deal", "actions"}):
        yield without(scenario, [], name)
    for name in sorted(set(scenario["ruleset"]) - {"preset"}):
        yield without(scenario, ["ruleset"], name)
    yield from with_fewer_tiles(scenario, ["deal"])
    for index in range(len(scenario.get("next_deal", []))):
        yield from with_fewer_tiles(scenario, ["next_deal", index])


def without(scenario: Scenario, path: list[Any], name: Any) -> Scenario:
    changed = copy.deepcopy(scenario)
    del at(changed, path)[name]
    return changed


def at(scenario: Scenario, path: list[Any]) -> Any:
    place: Any = scenario
    for step in path:
        place = place[step]
    return place


def with_fewer_tiles(scenario: Scenario, path: list[Any]) -> Iterator[Scenario]:
    deal = at(scenario, path)
    if not isinstance(deal, dict) or not isinstance(deal.get("hands"), list):
        return
    places: list[tuple[list[Any], Any]] = [([*path, "hands"], seat) for seat in range(len(deal["hands"]))]
    for inner, name in [*places, *([(path, "boneyard")] if "boneyard" in deal else [])]:
        tiles = str(at(scenario, inner)[name]).split()
        for index in range(len(tiles)):
            changed = copy.deepcopy(scenario)
            at(changed, inner)[name] = " ".join(tiles[:index] + tiles[index + 1 :])
            yield changed
