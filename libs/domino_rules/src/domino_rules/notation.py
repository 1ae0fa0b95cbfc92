"""How tiles, hands and actions are written: `6-3`, `6-3 5-5`, `2 6-3@left`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from domino_rules.actions import Action, Draw, Flag, Pass, PlayTile, Timeout
from domino_rules.ends import PlayEnd
from domino_rules.tiles import HIGH, LOW, TILES, Hand, Tile

TILE_NAMES: Final[tuple[str, ...]] = tuple(f"{HIGH[tile]}-{LOW[tile]}" for tile in range(len(TILES)))
_BY_NAME: Final = {name: tile for tile, name in enumerate(TILE_NAMES)}
_ENDS: Final[dict[str, PlayEnd]] = {
    "start": "start",
    "left": "left",
    "right": "right",
    "up": "up",
    "down": "down",
    "L": "left",
    "R": "right",
    "U": "up",
    "D": "down",
}
_PLAY: Final = re.compile(r"([0-6]-[0-6])(?:@([a-zA-Z]+))?")


class NotationError(ValueError):
    """A text that is no tile, hand or action; says what was expected and what came."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got!r}")
        self.expected = expected
        self.got = got


def tile_name(tile: Tile) -> str:
    """`6-3`, the higher half first."""
    return TILE_NAMES[tile]


def hand_text(hand: Iterable[Tile]) -> str:
    """The tiles in their order, one space between them; nothing for an empty hand."""
    return " ".join([TILE_NAMES[tile] for tile in hand])


def play_text(tile: Tile, end: PlayEnd | None) -> str:
    """`6-3@left`, or `6-3` when no end is named."""
    return TILE_NAMES[tile] if end is None else f"{TILE_NAMES[tile]}@{end}"


def action_text(action: Action) -> str:
    """`2 6-3@left`, `1 draw`: the seat and what it does."""
    match action:
        case PlayTile():
            return f"{action.seat} {play_text(action.tile, action.end)}"
        case Draw():
            return f"{action.seat} draw"
        case Pass():
            return f"{action.seat} pass"
        case Timeout():
            return f"{action.seat} timeout"
        case Flag():
            return f"{action.seat} flag"


def parse_tile(text: str) -> Tile:
    """The tile of a text such as `6-3`; raises `NotationError`, also when the lower half comes first."""
    tile = _BY_NAME.get(text)
    if tile is None:
        raise NotationError("a tile such as 6-3, higher half first", text)
    return tile


def parse_hand(text: str) -> Hand:
    """The tiles of a text such as `6-3 5-5`, in order; empty for an empty text; raises `NotationError`."""
    return tuple([parse_tile(name) for name in text.split()])


def parse_end(text: str) -> PlayEnd:
    """The end of a text such as `left` or `L`; raises `NotationError`."""
    end = _ENDS.get(text)
    if end is None:
        raise NotationError("start, left, right, up or down (L, R, U, D)", text)
    return end


def parse_play(text: str) -> tuple[Tile, PlayEnd | None]:
    """The tile and, if named, the end of a text such as `6-3@left`; raises `NotationError`."""
    found = _PLAY.fullmatch(text)
    if found is None:
        raise NotationError("a tile, maybe with an end, such as 6-3@left", text)
    return parse_tile(found[1]), None if found[2] is None else parse_end(found[2])


def parse_action(text: str) -> Action:
    """The action of a text such as `2 6-3@left` or `1 draw` (pass, timeout, flag); raises `NotationError`."""
    words = text.split(" ")
    if len(words) != 2 or words[0] not in ("1", "2", "3", "4"):
        raise NotationError("a seat and an action such as '2 6-3@left' or '1 draw'", text)
    seat = int(words[0])
    match words[1]:
        case "draw":
            return Draw(seat)
        case "pass":
            return Pass(seat)
        case "timeout":
            return Timeout(seat)
        case "flag":
            return Flag(seat)
        case play:
            tile, end = parse_play(play)
            return PlayTile(seat, tile, end)
