"""Random scenarios: whole deals and positions, with the play of some while and sometimes an action out of place."""

import random
from typing import Any

from .layout import Play, Tile, where_it_fits
from .match import hand_text, tile_text
from .play import play_by_chance
from .reading import ALL_TILES
from .rulesets import random_ruleset


def random_scenario(chance: random.Random, presets: list[str]) -> dict[str, Any]:
    """A scenario that is not malformed."""
    ruleset = random_ruleset(chance, presets)
    scenario: dict[str, Any] = {"ruleset": ruleset}
    if chance.random() < 0.05:
        set_up_stuck_opening(chance, scenario)
    elif chance.random() < 0.3:
        set_up_close_end(chance, scenario)
    elif chance.random() < 0.35:
        set_up_position(chance, scenario)
    else:
        scenario["deal"] = random_deal(chance, ruleset, list(ALL_TILES))
    last_round = scenario.get("round") == ruleset.get("round_cap") is not None
    if chance.random() < (0.8 if last_round else 0.4):
        scenario["next_deal"] = [next_deal(chance, ruleset) for _ in range(chance.randint(1, 5))]
    if chance.random() < 0.3:
        scenario["forced"] = chance.choice(["auto", "manual", "manual"])
    if "round" not in scenario and chance.random() < 0.2:
        scenario["round"] = chance.randint(1, ruleset.get("round_cap") or 20)
    say_who_opens(chance, scenario)
    add_scores(chance, scenario)
    if "seats" in ruleset and chance.random() < 0.1:
        del ruleset["seats"]
    scenario["actions"] = play_by_chance(chance, scenario)
    return scenario


def random_deal(chance: random.Random, ruleset: dict[str, Any], tiles: list[Tile]) -> dict[str, Any]:
    """A deal of some of `tiles`: half of the time as many each as the preset deals, else a few."""
    seats = ruleset["seats"]
    each = 5 if ruleset["preset"] == "draw" and seats > 2 else 7
    chance.shuffle(tiles)
    if chance.random() < 0.5 or each * seats > len(tiles):
        each = chance.randint(1, min(4, len(tiles) // seats))
    sizes = [min(each + (chance.random() < 0.1), len(tiles) // seats) for _ in range(seats)]
    hands = [[tiles.pop() for _ in range(size)] for size in sizes]
    deal: dict[str, Any] = {"hands": [hand_text(hand) for hand in hands]}
    if chance.random() < 0.7:
        deal["boneyard"] = hand_text(tiles[: chance.randint(0, 5)] if chance.random() < 0.5 else tiles)
    return deal


def next_deal(chance: random.Random, ruleset: dict[str, Any]) -> dict[str, Any]:
    deal = random_deal(chance, ruleset, list(ALL_TILES))
    if chance.random() < (0.9 if ruleset["preset"] == "all-fives" else 0.15):
        deal["opener"] = chance.randint(1, ruleset["seats"])
    return deal


def set_up_position(chance: random.Random, scenario: dict[str, Any]) -> None:
    ruleset = scenario["ruleset"]
    tiles = list(ALL_TILES)
    chance.shuffle(tiles)
    wanted = chance.sample(range(7), 2)
    tiles.sort(key=lambda tile: bool(set(tile) & set(wanted)) * chance.random(), reverse=True)
    room = len(tiles) - ruleset["seats"] * 2
    plays = random_layout(chance, tiles, chance.randint(1, min(12, room)), ruleset.get("spinner", False))
    scenario["layout"] = [f"{tile_text(tile)}@{end}" for tile, end in plays]
    laid = [tile for tile, _ in plays]
    scenario["deal"] = random_deal(chance, ruleset, [tile for tile in tiles if tile not in laid])
    scenario["to_move"] = chance.randint(1, ruleset["seats"])


def set_up_close_end(chance: random.Random, scenario: dict[str, Any]) -> None:
    """Few tiles each, with as many pips as the others' or nearly; often in the last round that a cap allows."""
    ruleset = scenario["ruleset"]
    seats = ruleset["seats"]
    close = close_tiles(chance, seats, ruleset.get("pairs", False))
    rest = [tile for tile in ALL_TILES if tile not in close]
    chance.shuffle(rest)
    plays = stuck_layout(chance, rest, close, ruleset.get("spinner", False))
    hands = [hand_text(close[seat::seats]) for seat in range(seats)]
    scenario["layout"] = [f"{tile_text(tile)}@{end}" for tile, end in plays]
    over = [tile for tile in rest if tile not in [laid for laid, _ in plays]]
    scenario["deal"] = {"hands": hands, "boneyard": hand_text(over[: chance.choice([0, 0, 1, 2])])}
    scenario["to_move"] = chance.randint(1, seats)
    if chance.random() < 0.6:
        scenario["round"] = ruleset["round_cap"] = chance.randint(1, 20)
        ruleset["tie_at_cap"] = chance.choice(["drawn", "extra-rounds", "extra-rounds"])


def set_up_stuck_opening(chance: random.Random, scenario: dict[str, Any]) -> None:
    """Somebody opens with a double, the only tile with its number: nobody can follow, what is drawn does not fit."""
    seats = scenario["ruleset"]["seats"]
    number = chance.randrange(7)
    tiles = [tile for tile in ALL_TILES if number not in tile]
    chance.shuffle(tiles)
    each = chance.randint(1, 3)
    hands = [tiles[seat * each : (seat + 1) * each] for seat in range(seats)]
    hands[chance.randrange(seats)].insert(0, (number, number))
    hands = [[tile for tile in hand if tile[0] != tile[1] or number in tile] or hand for hand in hands]
    rest = tiles[seats * each :][: chance.choice([0, 0, 1, 2])]
    scenario["deal"] = {"hands": [hand_text(hand) for hand in hands], "boneyard": hand_text(rest)}


def close_tiles(chance: random.Random, seats: int, pairs: bool) -> list[Tile]:
    """One or two tiles for each seat, dealt in turn: alike in pips, or nearly, or alike within each pair."""
    tiles = sorted(ALL_TILES, key=lambda tile: (sum(tile), chance.random()))
    alike = [[tile for tile in tiles if sum(tile) == pips] for pips in range(13)]
    if pairs and chance.random() < 0.3:
        one, other = chance.sample([group[:2] for group in alike if len(group) > 1], 2)
        return [one[0], other[0], one[1], other[1]]
    if chance.random() < 0.7:
        return chance.choice([group[:seats] for group in alike if len(group) >= seats])
    first = chance.randrange(len(tiles) - 2 * seats)
    close = tiles[first : first + 2 * seats]
    chance.shuffle(close)
    return close


def stuck_layout(chance: random.Random, tiles: list[Tile], hands: list[Tile], four_ends: bool) -> list[Play]:
    """A layout on which, when a few tries find one, none of `hands` fits."""
    for _ in range(10):
        plays = random_layout(chance, tiles, chance.randint(1, 12), four_ends)
        if not any(where_it_fits(tile, plays, four_ends) for tile in hands):
            break
    return plays


def random_layout(chance: random.Random, tiles: list[Tile], length: int, four_ends: bool) -> list[Play]:
    """A layout of up to `length` tiles, made by preference of the first ones, so that numbers run out early."""
    plays: list[Play] = []
    while len(plays) < length:
        laid = [tile for tile, _ in plays]
        fitting = [tile for tile in tiles if tile not in laid and where_it_fits(tile, plays, four_ends)]
        if not fitting:
            break
        tile = fitting[min(chance.randrange(len(fitting)), chance.randrange(len(fitting)))]
        plays.append((tile, chance.choice(where_it_fits(tile, plays, four_ends))))
    return plays


def say_who_opens(chance: random.Random, scenario: dict[str, Any]) -> None:
    seats = scenario["ruleset"]["seats"]
    if chance.random() < 0.3:
        winner = chance.choice([None, *range(1, seats + 1)])
        scenario["previous"] = {"winner": winner, "tied": winner is None, "opener": chance.randint(1, seats)}
    lot = scenario["ruleset"]["preset"] == "all-fives" and not scenario.get("previous", {}).get("winner")
    if ("layout" not in scenario and lot) or chance.random() < 0.2:
        scenario["opener"] = chance.randint(1, seats)


def add_scores(chance: random.Random, scenario: dict[str, Any]) -> None:
    ruleset = scenario["ruleset"]
    sides = 2 if ruleset.get("pairs") else ruleset["seats"]
    target = ruleset.get("target", 100)
    last_round = scenario.get("round") == ruleset.get("round_cap") is not None
    if chance.random() < (0.8 if last_round else 0.5):
        most = min(chance.choice([target, 4, 1]), target) - 1
        five = 5 if ruleset["preset"] == "all-fives" else 1
        scores = [chance.randint(0, most) // five * five for _ in range(sides)]
        level = last_round and chance.random() < 0.9
        scenario["scores"] = scores[:1] * sides if level else scores
