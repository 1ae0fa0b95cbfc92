"""The layout as a list of plays; everything about it is found by laying the tiles out again from the first."""

from functools import lru_cache
from typing import NamedTuple

Tile = tuple[int, int]
Play = tuple[Tile, str]


class Picture(NamedTuple):
    """The main line from left to right as (left half, right half); arms outwards from the spinner as (inner, outer)."""

    line: list[Tile]
    up: list[Tile]
    down: list[Tile]
    spinner: Tile | None


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def pips(tiles: list[Tile]) -> int:
    return sum(high + low for high, low in tiles)


def heavier_first(tiles: list[Tile]) -> list[Tile]:
    """More pips first; with equal pips the larger half first."""
    return sorted(tiles, key=lambda tile: (sum(tile), max(tile)), reverse=True)


def other_half(tile: Tile, half: int) -> int:
    return tile[1] if tile[0] == half else tile[0]


def lay_out(plays: list[Play]) -> Picture:
    """The picture that the plays make; nobody changes it."""
    return lay_out_again(tuple(plays))


@lru_cache(maxsize=8)  # the same layout is looked at for every tile of a hand
def lay_out_again(plays: tuple[Play, ...]) -> Picture:
    line: list[Tile] = []
    arms: dict[str, list[Tile]] = {"up": [], "down": []}
    spinner = next((tile for tile, _ in plays if is_double(tile)), None)
    for tile, end in plays:
        if end == "start":
            line = [tile]
        elif end == "left":
            inner = line[0][0]
            line.insert(0, (other_half(tile, inner), inner))
        elif end == "right":
            inner = line[-1][1]
            line.append((inner, other_half(tile, inner)))
        else:
            assert spinner is not None, "arms belong to a spinner"
            inner = arms[end][-1][1] if arms[end] else spinner[0]
            arms[end].append((inner, other_half(tile, inner)))
    return Picture(line, arms["up"], arms["down"], spinner)


def open_ends(plays: list[Play], four_ends: bool) -> dict[str, int]:
    """Each end where a tile may lie, with its number; bare arms of a covered spinner included."""
    if not plays:
        return {}
    line, up, down, spinner = lay_out(plays)
    ends = {"left": line[0][0], "right": line[-1][1]}
    if four_ends and spinner is not None and spinner not in (line[0], line[-1]):
        ends["up"] = up[-1][1] if up else spinner[0]
        ends["down"] = down[-1][1] if down else spinner[0]
    return ends


def ends_total(plays: list[Play]) -> int:
    """The pips on the open ends: a double at an end counts twice, a lone tile once, a bare arm nothing."""
    line, up, down, _ = lay_out(plays)
    if len(line) == 1:
        return sum(line[0])
    outermost = [(line[0][1], line[0][0]), line[-1]] + [arm[-1] for arm in (up, down) if arm]
    return sum(2 * outer if inner == outer else outer for inner, outer in outermost)


def where_it_fits(tile: Tile, plays: list[Play], four_ends: bool) -> list[str]:
    """The names of the ends that take `tile`, in the order left, right, up, down; `start` on an empty table."""
    if not plays:
        return ["start"]
    return [end for end, number in open_ends(plays, four_ends).items() if number in tile]


def is_dead(number: int, plays: list[Play]) -> bool:
    return sum(number in tile for tile, _ in plays) == 7
