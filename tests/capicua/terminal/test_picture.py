"""Pictures of layouts. The golden ones are looked at by people; `python -m tests.capicua.terminal.test_picture` writes
them again."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from rich.text import Text
from tests.capicua.terminal.layouts import ends_of, placed, random_round, view_of

from capicua.terminal.chain import chain
from capicua.terminal.picture import COLUMNS, picture
from capicua.terminal.screen import layout_lines
from capicua.terminal.tiles import LARGE, SMALL, Size
from capicua.view import TableView
from domino_rules import Ruleset

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
RULESETS = {
    "draw": Ruleset.of("draw", 2),
    "block": Ruleset.of("block", 4),
    "duel-draw": Ruleset.of("duel-draw", 2),
    "all-fives": Ruleset.of("all-fives", 2),
    "four ends": Ruleset.of("all-fives", 2, spinner=True),
    "four ends with four seats": Ruleset.of("party", 4, pairs=True, spinner=True),
    "party": Ruleset.of("party", 3, drawing=True),
}
ROUNDS = 12
FLAT = {LARGE: re.compile("│([0-6])│([0-6])│"), SMALL: re.compile(r"\[([0-6])│([0-6])\]")}
CROSSWISE = {LARGE: "│([0-6])│", SMALL: "╭([0-6])╮"}
MARKED = {LARGE: (3, 2), SMALL: (3, 1)}
"""Columns from the mark to the number beside it, and lines from a bare arm's mark to the spinner's number."""


def drawn(rows: list[Text]) -> list[str]:
    return [row.plain.rstrip() for row in rows]


def golden_text(heading: str) -> str:
    """The heading, `two ends: 6-4@start …` or `four ends: …`, and the layout in both sizes and as text."""
    ends, _, plays = heading.partition(": ")
    layout = placed(plays)
    four_ends = ends == "four ends"
    view = view_of(layout, ends_of(layout, four_ends=four_ends), ruleset={"spinner": four_ends})
    pictures = ["\n".join(drawn(layout_lines(view, size))) for size in (LARGE, SMALL, None)]
    return "\n\n".join([heading.rstrip(), *pictures]) + "\n"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_layout_looks_as_it_did(path: Path) -> None:
    text = path.read_text()
    assert golden_text(text.splitlines()[0]) == text


def tiles_in(lines: list[str], size: Size) -> list[str]:
    """Every tile of a picture, the higher half first."""
    found = [sorted(pair, reverse=True) for line in lines for pair in FLAT[size].findall(line)]
    for line, below in pairwise(lines):
        for half in re.finditer(CROSSWISE[size], line):
            if below[half.start() : half.end()] == "├─┤":
                found.append([half[1], half[1]])
    return ["-".join(pair) for pair in found]


def number_at(lines: list[str], line: int, column: int) -> str:
    """The number there; in the middle of a double it stands one line above."""
    return lines[line][column] if lines[line][column].isdigit() else lines[line - 1][column]


def marks_in(lines: list[str], size: Size) -> dict[str, int]:
    """The letter of each mark with the number of the half that it stands at."""
    beside, above = MARKED[size]
    found: list[tuple[str, int]] = []
    for number, line in enumerate(lines):
        for mark in re.finditer("([LRUD])╴|╶([LRUD])|([UD])", line):
            if mark[1]:
                half = number_at(lines, number, mark.start() + beside)
            elif mark[2]:
                half = number_at(lines, number, mark.end() - 1 - beside)
            else:
                half = lines[number + (above if mark[3] == "U" else -above)][mark.start()]
            found.append((mark[0].strip("╴╶"), int(half)))
    assert len(dict(found)) == len(found)
    return dict(found)


def check(view: TableView, size: Size) -> None:
    lines = drawn(picture(chain(view.layout, view.ends), size))
    lines = [line.ljust(COLUMNS) for line in lines]
    assert max(map(len, lines)) == COLUMNS
    assert sorted(tiles_in(lines, size)) == sorted(tile.tile for tile in view.layout)
    assert marks_in(lines, size) == {end[0].upper(): number for end, number in view.ends.items()}


@pytest.mark.parametrize("name", RULESETS)
def test_every_layout_fits_shows_each_tile_once_and_marks_each_end_at_its_number(name: str) -> None:
    for seed in range(ROUNDS):
        for view in random_round(RULESETS[name], seed):
            for size in (LARGE, SMALL):
                check(view, size)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_people_looked_at_is_complete_too(path: Path) -> None:
    ends, _, plays = path.read_text().splitlines()[0].partition(": ")
    layout = placed(plays)
    view = view_of(layout, ends_of(layout, four_ends=ends == "four ends"))
    for size in (LARGE, SMALL) if layout else ():
        check(view, size)


def test_the_newest_tile_has_the_bright_frame() -> None:
    middle = picture(chain(placed("6-1@start 1-0@right")), LARGE)[1]
    styles = [str(span.style) for span in middle.spans if "┌" not in middle.plain]
    assert styles.index("bright_black") < styles.index("bold white")


if __name__ == "__main__":
    for path in GOLDEN:
        path.write_text(golden_text(path.read_text().splitlines()[0]))
