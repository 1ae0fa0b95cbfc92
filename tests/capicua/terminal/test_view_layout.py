from itertools import pairwise

import pytest
from tests.capicua.terminal.layouts import ends_of, placed, random_round, view_of

from capicua.terminal import view_layout
from domino_rules import Ruleset

FOUR_ENDS = "5-5@start 5-0@right 6-5@left 0-0@right 5-4@up 5-2@down"


@pytest.mark.parametrize(
    ("count", "total", "text"),
    [
        (0, 0, ""),
        (1, 10, "5|5[/]"),
        (2, 10, "5|5[/] 5|0"),
        (3, 6, "6|5 5|5[/] 5|0"),
        (5, 10, "6|5 5|5[5|4/] 5|0 0|0"),
        (6, 12, "6|5 5|5[5|4/5|2] 5|0 0|0"),
    ],
)
def test_a_layout_has_its_text_and_its_ends_their_total(count: int, total: int, text: str) -> None:
    layout = placed(" ".join(FOUR_ENDS.split()[:count]))
    view = view_of(layout, ends_of(layout, four_ends=True), ruleset={"spinner": True})
    assert (view_layout.text(view), view_layout.total(view)) == (text, total)


def test_what_a_play_would_count_is_what_the_ends_count_once_it_lies() -> None:
    views = list(random_round(Ruleset.of("all-fives", spinner=True), seed=4))
    for before, after in pairwise(views):
        last = after.layout[-1]
        assert view_layout.total_after(f"{last.tile}@{last.end}", before) == view_layout.total(after)
