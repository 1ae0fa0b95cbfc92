"""Random rulesets: a preset, and now and then an option or two of a house."""

import random
from typing import Any

DEALS_FORCE = ("draw", "block", "party")
SEATS = {"draw": [2, 3, 4], "block": [2, 3, 4], "duel-draw": [2], "all-fives": [2], "party": [2, 3, 4, 4]}


def random_ruleset(chance: random.Random, presets: list[str]) -> dict[str, Any]:
    preset = chance.choice(presets)
    ruleset: dict[str, Any] = {"preset": preset, "seats": chance.choice(SEATS[preset])}
    if ruleset["seats"] == 4 and chance.random() < (0.5 if preset == "party" else 0.3):
        ruleset["pairs"] = True
    if chance.random() < (0.5 if preset == "all-fives" else 0.1):
        ruleset["spinner"] = chance.random() < 0.9
    if chance.random() < (0.5 if preset in ("party", "block") else 0.1):
        ruleset["drawing"] = chance.random() < 0.5
    if chance.random() < 0.8:
        ruleset["target"] = chance.choice([1, 15, 30, 50, 100, 150, 250])
    if chance.random() < 0.25:
        ruleset["round_cap"] = chance.choice([None, 1, 1, 2, 2, 3, 4])
        ruleset["tie_at_cap"] = chance.choice(["drawn", "extra-rounds", "extra-rounds"])
    if chance.random() < 0.2:
        ruleset["boneyard_reserve"] = chance.randint(0, 4)
    if chance.random() < 0.3:
        ruleset["stop_on_dead_end"] = chance.random() < 0.8
    if chance.random() < 0.1:
        ruleset["hand_size"] = chance.randint(1, 7)
    return ruleset
