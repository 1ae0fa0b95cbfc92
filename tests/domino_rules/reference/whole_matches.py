"""Whole matches by chance: the rulesets, the deals, and the next thing that somebody tries."""

import random
from typing import Any

from .match import Match, hand_text
from .play import legal_action, misplaced_action
from .reading import ALL_TILES
from .rulesets import SEATS, random_ruleset

TARGETS = {
    "draw": [50, 100, 150],
    "block": [50, 100, 150],
    "duel-draw": [100, 250, 500],
    "all-fives": [100, 250, 500],
    "party": [100, 150, 200],
}
OUT_OF_PLACE = 0.12


def whole_ruleset(chance: random.Random, preset: str) -> dict[str, Any]:
    """Half of the time the preset as it is, else a house's."""
    if chance.random() < 0.5:
        return random_ruleset(chance, [preset])
    ruleset: dict[str, Any] = {"preset": preset, "seats": chance.choice(SEATS[preset])}
    ruleset["target"] = chance.choice(TARGETS[preset])
    if preset == "all-fives":
        ruleset["spinner"] = chance.random() < 0.5
    if preset == "party":
        ruleset |= {"drawing": chance.random() < 0.3, "pairs": ruleset["seats"] == 4 and chance.random() < 0.7}
    return ruleset


def whole_deal(chance: random.Random, ruleset: dict[str, Any]) -> dict[str, Any]:
    """All 28 tiles, as many in each hand as the ruleset says."""
    seats = ruleset["seats"]
    each = ruleset.get("hand_size", 5 if ruleset["preset"] == "draw" and seats > 2 else 7)
    tiles = list(ALL_TILES)
    chance.shuffle(tiles)
    hands = [hand_text(tiles[seat * each : (seat + 1) * each]) for seat in range(seats)]
    return {"hands": hands, "boneyard": hand_text(tiles[seats * each :])}


def next_try(chance: random.Random, match: Match) -> str:
    """Mostly a legal action; sometimes one that is most likely refused. A clock rarely runs out."""
    if match.status != "playing" or chance.random() < OUT_OF_PLACE:
        attempt = misplaced_action(chance, match)
        if attempt != f"{match.to_move} flag":
            return attempt
    return legal_action(chance, match, flags=0.002)
