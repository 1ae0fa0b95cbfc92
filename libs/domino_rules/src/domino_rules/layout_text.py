"""A layout as one line of text: `6|3 3|3 3|1`.

The main line from left to right, each tile as its left and right half. With four ends the spinner carries its arms in
brackets, `up` before the slash and `down` after it, each outwards from the spinner: `6|5 5|5[5|4 4|4/5|2] 5|0`, and
`5|5[/] 5|0` while they are bare. Nothing lies: the empty text. Who played what, and when, is not in the picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from domino_rules.ends import PlayEnd
from domino_rules.layout import Layout
from domino_rules.notation import NotationError, parse_tile
from domino_rules.tiles import HIGH, IS_DOUBLE, LOW, Number, Tile, other_half

Laid: TypeAlias = tuple[Number, Number]
"""A tile as it lies: left and right half in the line, inner and outer half on an arm."""

_TILE: Final = r"[0-6]\|[0-6]"
_ARM: Final = rf"(?:{_TILE}(?: {_TILE})*)?"
_WORD: Final = re.compile(rf"({_TILE})(?:\[({_ARM})/({_ARM})\])?")


@dataclass(slots=True)
class _Picture:
    line: list[Laid] = field(default_factory=list)
    up: list[Laid] = field(default_factory=list)
    down: list[Laid] = field(default_factory=list)
    spinner: Number | None = None
    """The number of the double that carries the arms."""


def layout_text(layout: Layout, *, four_ends: bool) -> str:
    """The layout as a line of text; `four_ends` as the ruleset's `spinner`."""
    picture = _Picture()
    for play in layout.plays:
        assert play.end is not None
        _lay(picture, play.tile, play.end)
        if four_ends and picture.spinner is None and IS_DOUBLE[play.tile]:
            picture.spinner = HIGH[play.tile]
    return " ".join([_word(picture, laid) for laid in picture.line])


def parse_layout(text: str) -> tuple[tuple[Tile, PlayEnd], ...]:
    """Plays that lead to the layout of such a text, the spinner first; raises `NotationError`.

    The order is one of many: left side, right side, then the arms. They are what a scenario's `layout` takes.
    """
    picture = _read(text)
    _check_once([*picture.line, *picture.up, *picture.down])
    if not picture.line:
        return ()
    start = _start(picture)
    left, right = picture.line[:start], picture.line[start + 1 :]
    plays: list[tuple[Tile, PlayEnd]] = [(_tile(picture.line[start]), "start")]
    plays += [(_tile(laid), "left") for laid in reversed(left)]
    plays += [(_tile(laid), "right") for laid in right]
    plays += [(_tile(laid), "up") for laid in picture.up]
    plays += [(_tile(laid), "down") for laid in picture.down]
    return tuple(plays)


def _lay(picture: _Picture, tile: Tile, end: PlayEnd) -> None:
    match end:
        case "start":
            picture.line = [(HIGH[tile], LOW[tile])]
        case "left":
            inner = picture.line[0][0]
            picture.line.insert(0, (other_half(tile, inner), inner))
        case "right":
            inner = picture.line[-1][1]
            picture.line.append((inner, other_half(tile, inner)))
        case _:
            arm = picture.up if end == "up" else picture.down
            assert picture.spinner is not None, "arms belong to a spinner"
            inner = arm[-1][1] if arm else picture.spinner
            arm.append((inner, other_half(tile, inner)))


def _word(picture: _Picture, laid: Laid) -> str:
    if picture.spinner is None or laid != (picture.spinner, picture.spinner):
        return _tile_text(laid)
    return f"{_tile_text(laid)}[{_arm_text(picture.up)}/{_arm_text(picture.down)}]"


def _tile_text(laid: Laid) -> str:
    return f"{laid[0]}|{laid[1]}"


def _arm_text(arm: Iterable[Laid]) -> str:
    return " ".join([_tile_text(laid) for laid in arm])


def _read(text: str) -> _Picture:
    picture = _Picture()
    place = 0
    while place < len(text):
        if picture.line and text[place] == " ":
            place += 1
        found = _WORD.match(text, place)
        if found is None or text[found.end() : found.end() + 1] not in ("", " "):
            raise NotationError(f"tiles such as 6|3 3|3 3|1 from character {place + 1} on", text)
        place = found.end()
        picture.line.append(_halves(found[1]))
        if found[2] is not None:
            _read_arms(picture, found[1], found[2], found[3])
    _check_chain(picture.line)
    if (picture.up or picture.down) and not _is_covered(picture):
        raise NotationError("a tile on either side of the spinner before its arms", text)
    return picture


def _read_arms(picture: _Picture, spinner: str, up: str, down: str) -> None:
    if picture.spinner is not None:
        raise NotationError("one spinner", spinner)
    if spinner[0] != spinner[-1]:
        raise NotationError("arms at a double", spinner)
    picture.spinner = int(spinner[0])
    picture.up, picture.down = _read_arm(up), _read_arm(down)
    for arm in (picture.up, picture.down):
        _check_chain([_halves(spinner), *arm])


def _read_arm(text: str) -> list[Laid]:
    return [_halves(word) for word in text.split()]


def _halves(word: str) -> Laid:
    return int(word[0]), int(word[2])


def _tile(laid: Laid) -> Tile:
    return parse_tile(f"{max(laid)}-{min(laid)}")


def _check_chain(line: Sequence[Laid]) -> None:
    for before, after in pairwise(line):
        if before[1] != after[0]:
            raise NotationError(f"a {before[1]} next to {_tile_text(before)}", _tile_text(after))


def _check_once(laid: Sequence[Laid]) -> None:
    seen: set[Tile] = set()
    for one in laid:
        if _tile(one) in seen:
            raise NotationError("every tile once", f"{_tile_text(one)} again")
        seen.add(_tile(one))


def _is_covered(picture: _Picture) -> bool:
    spinner = (picture.spinner, picture.spinner)
    return spinner not in (picture.line[0], picture.line[-1])


def _start(picture: _Picture) -> int:
    """The spinner, or else some tile that lies as an opening does, its higher half to the left."""
    for index, laid in enumerate(picture.line):
        if laid == (picture.spinner, picture.spinner) or (picture.spinner is None and laid[0] >= laid[1]):
            return index
    raise NotationError("a tile that can have opened, its higher half to the left", _arm_text(picture.line))
