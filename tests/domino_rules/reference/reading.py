"""A scenario as it is written, checked, as plain values. Whatever is wrong with one is `rules.Malformed`."""

import re
from dataclasses import dataclass
from itertools import chain
from typing import Any

from .layout import Play, Tile, heavier_first, where_it_fits
from .rules import Rules, demand, read_rules, whole_number

ALL_TILES: list[Tile] = [(high, low) for high in range(7) for low in range(high + 1)]


@dataclass
class Deal:
    hands: list[list[Tile]]
    boneyard: list[Tile]
    opener: int | None


@dataclass
class Previous:
    winner: int | None
    tied: bool
    opener: int


@dataclass
class Scenario:
    rules: Rules
    deal: Deal
    further_deals: list[Deal]
    layout: list[Play]
    to_move: int | None
    previous: Previous | None
    scores: list[int]
    round_number: int
    actions: list[str]


def read_tile(text: str) -> Tile:
    demand(re.fullmatch("[0-6]-[0-6]", text) is not None and text[0] >= text[2], f"{text!r} is no tile")
    return int(text[0]), int(text[2])


def read_tiles(text: Any, where: str) -> list[Tile]:
    demand(isinstance(text, str), f"{where} must be a text of tiles")
    return [read_tile(word) for word in text.split()]


def read_seat(value: Any, seats: int, where: str) -> int:
    demand(whole_number(value) and 1 <= value <= seats, f"{where} must be a seat")
    return int(value)


def read_deal(data: Any, rules: Rules, layout: list[Play], opener: Any) -> Deal:
    demand(isinstance(data, dict) and isinstance(data.get("hands"), list), "a deal has hands")
    hands = [read_tiles(hand, "a hand") for hand in data["hands"]]
    demand(len(hands) == rules.seats, "a deal has a hand for each seat")
    demand(all(hands), "a hand has a tile or more")
    dealt = [*chain.from_iterable(hands), *(tile for tile, _ in layout)]
    if data.get("boneyard") is not None:
        boneyard = read_tiles(data["boneyard"], "the boneyard")
    else:
        boneyard = [] if rules.drawing else heavier_first([tile for tile in ALL_TILES if tile not in dealt])
    everything = dealt + boneyard
    demand(len(set(everything)) == len(everything), "a tile is dealt twice")
    return Deal(hands, boneyard, None if opener is None else read_seat(opener, rules.seats, "opener"))


def read_layout(data: Any, rules: Rules) -> list[Play]:
    demand(isinstance(data, list), "a layout is a list of plays")
    plays: list[Play] = []
    for text in data:
        demand(isinstance(text, str) and text.count("@") == 1, "a play is written tile@end")
        tile = read_tile(text.split("@")[0])
        end = {"L": "left", "R": "right", "U": "up", "D": "down"}.get(text.split("@")[1], text.split("@")[1])
        demand(end in where_it_fits(tile, plays, rules.four_ends), f"{text} does not fit")
        demand(tile not in [earlier for earlier, _ in plays], f"{text} lies twice")
        plays.append((tile, end))
    return plays


def read_previous(data: Any, rules: Rules) -> Previous:
    demand(isinstance(data, dict) and isinstance(data.get("tied"), bool), "previous says whether it was tied")
    winner = data.get("winner")
    if winner is not None:
        winner = read_seat(winner, rules.seats, "winner")
    demand((winner is None) == data["tied"], "a round has a winner or is tied")
    return Previous(winner, data["tied"], read_seat(data.get("opener"), rules.seats, "opener"))


def read_scores(data: dict[str, Any], rules: Rules) -> list[int]:
    scores = data.get("scores", [0] * len(rules.sides))
    demand(isinstance(scores, list) and len(scores) == len(rules.sides), "one score for each side")
    demand(all(whole_number(score) and 0 <= score < rules.target for score in scores), "scores lie below the target")
    return list(scores)


def read(data: Any) -> Scenario:
    """The scenario in `data`, a JSON value; raises Malformed. A null is as good as an absent field."""
    demand(isinstance(data, dict), "a scenario is an object")
    data = {name: value for name, value in data.items() if value is not None}
    demand("ruleset" in data and "deal" in data, "a scenario has a ruleset and a deal")
    hands = data["deal"].get("hands") if isinstance(data["deal"], dict) else None
    rules = read_rules(data["ruleset"], len(hands) if isinstance(hands, list) else 0, data.get("forced"))
    layout = read_layout(data.get("layout", []), rules)
    demand(bool(layout) == ("to_move" in data), "a layout comes with the seat to move")
    further = data.get("next_deal", [])
    demand(isinstance(further, list) and all(isinstance(deal, dict) for deal in further), "next_deal is a list")
    round_number, actions = data.get("round", 1), data.get("actions", [])
    demand(whole_number(round_number) and round_number >= 1, "rounds count from 1")
    demand(isinstance(actions, list) and all(isinstance(action, str) for action in actions), "actions are texts")
    return Scenario(
        rules=rules,
        deal=read_deal(data["deal"], rules, layout, data.get("opener")),
        further_deals=[read_deal(deal, rules, [], deal.get("opener")) for deal in further],
        layout=layout,
        to_move=read_seat(data["to_move"], rules.seats, "to_move") if layout else None,
        previous=read_previous(data["previous"], rules) if "previous" in data else None,
        scores=read_scores(data, rules),
        round_number=round_number,
        actions=actions,
    )
