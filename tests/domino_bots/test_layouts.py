"""Layouts as numbers agree with the rules at every step of random matches."""

import pytest
from tests.domino_bots.playing import RULESETS, Play

from domino_bots import SeatView, Strength, choose
from domino_bots.layouts import FITS, FIVES, FOLLOWING, NUMBERS, TOTALS, layout_number
from domino_bots.table_line import Line
from domino_bots.tile_sets import WITH_NUMBERS
from domino_rules import Match, decide
from domino_rules.actions import Action, PlayTile
from domino_rules.events import TilePlayed
from domino_rules.tiles import set_of

FOUR_ENDS = [name for name, ruleset in RULESETS.items() if ruleset.spinner]


@pytest.mark.parametrize("name", ["draw", "all-fives", *FOUR_ENDS])
@pytest.mark.parametrize("seed", range(12))
def test_ends_and_their_total_are_those_of_the_rules(name: str, seed: int) -> None:
    def act(match: Match, view: SeatView) -> Action:
        line = Line(match.ruleset.spinner)
        for lies in view.plays:
            line.lay(lies.tile, lies.end)
        for action in view.legal:
            if isinstance(action, PlayTile):
                agrees(match, line, action)
        return choose(view, Strength.BEGINNER, seed=seed + len(view.plays))

    Play(RULESETS[name], seed).to_the_end(act, turns_max=60)


def agrees(match: Match, line: Line, action: PlayTile) -> None:
    events = decide(match, action)
    assert isinstance(events, list)
    assert isinstance(events[0], TilePlayed)
    assert action.end is not None
    after = line.after(action.tile, action.end)
    assert after in FOLLOWING[line.layout][action.tile]
    assert TOTALS[after] == events[0].ends_total
    assert {number for number in range(7) if NUMBERS[after] >> number & 1} == set(events[0].ends)
    assert FIVES[after] == (TOTALS[after] if TOTALS[after] % 5 == 0 else 0)


def test_there_are_113_layouts_without_a_spinner() -> None:
    found = {layout_number([], four_ends=False)}
    waiting = list(found)
    while waiting:
        for after in FOLLOWING[waiting.pop()]:
            waiting += set(after) - found
            found |= set(after)
    assert len(found) == 113


def test_every_layout_has_its_number_and_what_follows_before_a_round_is_played() -> None:
    """Else a choice would take longer, and numbers depend on what was looked at, the first time."""
    assert len(FITS) == len(FOLLOWING) == 7282
    for fits, row in zip(FITS, FOLLOWING, strict=True):
        assert all(0 <= after < len(FITS) for layouts in row for after in layouts)
        assert set_of(tuple(tile for tile in range(28) if row[tile])) & ~fits == 0


def test_tiles_with_some_numbers_show_one_of_them() -> None:
    assert WITH_NUMBERS[0] == 0
    assert [WITH_NUMBERS[1 << number].bit_count() for number in range(7)] == [7] * 7
    assert WITH_NUMBERS[0b11].bit_count() == 13
    assert WITH_NUMBERS[127] == (1 << 28) - 1
