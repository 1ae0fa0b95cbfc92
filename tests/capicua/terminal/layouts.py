"""Layouts without a table: written as plays, or out of random rounds."""

from collections.abc import Iterator
from random import Random
from typing import Any

from capicua.view import PlacedTile, TableView
from domino_rules import Refusal, Ruleset, deal, decide, evolve, legal_actions, new_match
from domino_rules.tiles import TILES


def placed(text: str) -> list[PlacedTile]:
    """`6-4@start 6-6@left` as a view's layout."""
    return [PlacedTile(seat=1, tile=tile, end=end) for tile, _, end in (play.partition("@") for play in text.split())]


def ends_of(layout: list[PlacedTile], *, four_ends: bool) -> dict[str, int]:
    """The open ends of such a layout: the far half at each, and the spinner's number where an arm is open but bare."""
    ends: dict[str, int] = {}
    line: list[str] = []
    spinner = ""
    for placed in layout:
        high, low = int(placed.tile[0]), int(placed.tile[2])
        if placed.end == "start":
            ends = {"left": high, "right": low}
        else:
            ends[placed.end] = low if high == ends[placed.end] else high
        if placed.end not in ("up", "down"):
            line = [placed.tile, *line] if placed.end == "left" else [*line, placed.tile]
        if four_ends and high == low and not spinner:
            spinner = placed.tile
        if spinner and "up" not in ends and spinner not in (line[0], line[-1]):
            ends["up"] = ends["down"] = int(spinner[0])
    return ends


def view_of(layout: list[PlacedTile], ends: dict[str, int], **fields: Any) -> TableView:
    shown = {"table_id": "t", "version": 1, "at": 0, "status": "playing", "ruleset": {}, "layout": layout, "ends": ends}
    return TableView(**(shown | fields))


def random_round(ruleset: Ruleset, seed: int) -> Iterator[TableView]:
    """The view after each play of one round in which everybody plays anything legal."""
    randomness = Random(seed)
    tiles = list(TILES)
    randomness.shuffle(tiles)
    size = ruleset.hand_size
    hands = tuple(tuple(tiles[seat * size : (seat + 1) * size]) for seat in range(ruleset.seats))
    match = new_match(ruleset)
    layout: list[PlacedTile] = []
    events: list[Any] = deal(match, hands, tuple(tiles[ruleset.seats * size :]), opener=1)
    while True:
        for event in events:
            match = evolve(match, event)
            if event.tag == "tile-played":
                body = event.to_json()
                layout = [*layout, PlacedTile.model_validate(body)]
                yield view_of(layout, body["ends"], ruleset=ruleset.to_json())
        if match.status != "playing":
            return
        decided = decide(match, randomness.choice(legal_actions(match)))
        assert not isinstance(decided, Refusal)
        events = list(decided)
