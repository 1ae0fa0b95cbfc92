"""The library against the plain second writing of the rules in `plain_rules.py`."""

import random
from typing import Any

import pytest
from tests.domino_rules.plain_rules import NAMES, PlainRules

from domino_rules.runner import run_scenario
from domino_rules.scenario import read_scenario

SEATS = {"draw": (2, 3, 4), "block": (2, 3, 4), "duel-draw": (2,), "all-fives": (2,), "party": (2, 3, 4)}


def random_scenario(preset: str, chance: random.Random) -> dict[str, Any]:
    seats = chance.choice(SEATS[preset])
    options: dict[str, Any] = {"preset": preset, "target": chance.choice([15, 50, 100, 150])}
    if chance.random() < 0.4:
        options["spinner"] = True
    if seats == 4 and chance.random() < 0.5:
        options["pairs"] = True
    if chance.random() < 0.2:
        options["drawing"] = chance.random() < 0.5
    if chance.random() < 0.2:
        options["boneyard_reserve"] = chance.choice([1, 2, 5])
    if chance.random() < 0.2:
        options["stop_on_dead_end"] = True
    if chance.random() < 0.2:
        options["round_cap"] = chance.choice([1, 2, 3])
        options["tie_at_cap"] = chance.choice(["drawn", "extra-rounds"])
    sides = 2 if options.get("pairs") else seats
    scenario: dict[str, Any] = {
        "ruleset": options,
        "deal": random_deal(seats, chance),
        "scores": [chance.randrange(options["target"]) for _ in range(sides)],
        "next_deal": [random_deal(seats, chance) for _ in range(chance.randrange(3))],
    }
    if chance.random() < 0.5:
        scenario["forced"] = chance.choice(["auto", "manual"])
    if preset == "all-fives" or chance.random() < 0.2:
        scenario["opener"] = chance.randint(1, seats)
        for deal in scenario["next_deal"]:
            deal["opener"] = chance.randint(1, seats)
    return scenario


def random_deal(seats: int, chance: random.Random) -> dict[str, Any]:
    tiles = chance.sample(NAMES, 28)
    size = chance.choice([1, 2, 3, 5, 7])
    rest = tiles[seats * size :]
    kept = chance.choice([len(rest), len(rest), 0, 3])
    hands = [" ".join(tiles[seat * size : (seat + 1) * size]) for seat in range(seats)]
    return {"hands": hands, "boneyard": " ".join(rest[:kept])}


@pytest.mark.parametrize("preset", SEATS)
@pytest.mark.parametrize("seed", range(5))
def test_both_writings_of_the_rules_agree_on_every_step(preset: str, seed: int) -> None:
    chance = random.Random(f"{preset}-{seed}")
    for _ in range(60):
        scenario = random_scenario(preset, chance)
        plain = PlainRules(scenario)
        actions: list[str] = []
        while plain.status == "playing":
            chosen = chance.choice(plain.legal())
            actions.append(f"{plain.to_move} {chosen}")
            if chance.random() < 0.05:
                timed = preset in ("draw", "block", "party")
                actions[-1] = f"{plain.to_move} {'timeout' if timed else 'flag'}"
            plain.act(actions[-1])
            if chance.random() < 0.1:
                assert run_scenario(read_scenario({**scenario, "actions": actions})) == plain.result()
        assert run_scenario(read_scenario({**scenario, "actions": actions})) == plain.result()
