import io
import json
import re

import pytest
from rich.console import Console
from tests.capicua.matches import Outcome, match

from capicua.server_clock import ServerClock
from capicua.terminal.display import CLEAR, Display
from capicua.view import TableView


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("draw", 2, 50))


@pytest.fixture
def mine(outcomes: list[Outcome]) -> TableView:
    return next(outcome.view(1) for outcome in outcomes if outcome.view(1).my_turn)


def display(out: io.StringIO, *, terminal: bool = False, as_json: bool = False, now_ms: int = 0) -> Display:
    console = Console(file=out, width=80, force_terminal=terminal, color_system=None, highlight=False)
    return Display(console, ServerClock(wall_ms=lambda: now_ms), as_json=as_json)


def test_a_pipe_gets_plain_lines_and_on_the_own_turn_the_hand(mine: TableView) -> None:
    out = io.StringIO()
    display(out).show(mine)
    lines = out.getvalue().splitlines()
    hand = "  ".join(f"{number}:{tile}" for number, tile in enumerate(mine.hand or (), 1))
    assert lines[-2:] == [f"Your turn. Hand: {hand}", f"Playable: {' '.join(mine.legal)}"]
    assert "\x1b" not in out.getvalue()


def test_a_turn_whose_deadline_is_put_off_is_not_announced_again(mine: TableView) -> None:
    out = io.StringIO()
    shown = display(out)
    shown.show(mine)
    before = out.getvalue()
    shown.show(mine.model_copy(update={"from_version": mine.version, "events": ()}))
    assert out.getvalue()[len(before) :].count("\n") == 1


def test_programs_get_one_view_a_line(outcomes: list[Outcome]) -> None:
    out = io.StringIO()
    shown = display(out, as_json=True)
    for outcome in outcomes:
        shown.show(outcome.view(2))
        shown.note("not for programs")
    views = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [view["version"] for view in views] == [outcome.version for outcome in outcomes]


def test_a_terminal_gets_a_whole_screen_with_the_countdown_on_top(mine: TableView) -> None:
    assert mine.deadline is not None
    out = io.StringIO()
    display(out, terminal=True, now_ms=mine.deadline.due_at - 7_500).show(mine)
    assert out.getvalue().startswith(f"{CLEAR}Your turn: 7 s\n")


def test_before_there_is_a_table_notes_are_seen_at_once_and_later_they_are_on_the_screen(mine: TableView) -> None:
    out = io.StringIO()
    shown = display(out, terminal=True)
    shown.note("In the queue")
    assert out.getvalue() == "In the queue\n"
    shown.show(mine)
    drawn = len(out.getvalue())
    shown.note("expected " + "a choice " * 20)
    assert len(out.getvalue()) == drawn
    shown.redraw()
    again = out.getvalue()[drawn:]
    assert "  expected a choice" in again
    assert max(map(len, again.splitlines())) <= 80


def test_the_countdown_goes_on_and_says_when_the_connection_is_lost(mine: TableView) -> None:
    assert mine.deadline is not None
    out = io.StringIO()
    shown = display(out, terminal=True, now_ms=mine.deadline.due_at + 300)
    shown.show(mine)
    drawn = len(out.getvalue())
    shown.tick(connected=True)
    assert "Your turn: 0 s\x1b8" in out.getvalue()[drawn:]
    shown.tick(connected=False)
    assert "connection lost" in out.getvalue()[drawn:]


@pytest.fixture(scope="module")
def fives() -> list[Outcome]:
    return list(match("all-fives", 2, 100))


def test_match_clocks_count_down_in_the_first_line_the_one_that_runs_and_the_one_that_stands(
    fives: list[Outcome],
) -> None:
    view = next(o.view(1) for o in fives if o.view(1).my_turn and len(o.view(1).layout) > 4)
    assert view.deadline is not None
    assert view.clocks is not None
    out = io.StringIO()
    shown = display(out, terminal=True, now_ms=view.deadline.due_at - 65_500)
    shown.show(view)
    standing = view.clocks[1] // 1000
    expected = f"Your turn:   you 1:05   bot 2 {standing // 60}:{standing % 60:02}"
    assert out.getvalue().startswith(f"{CLEAR}{expected}\n")
    shown.tick(connected=True)
    assert out.getvalue().endswith(f"{expected}\x1b8")
    other = io.StringIO()
    display(other, terminal=True, now_ms=view.deadline.due_at + 1).show(view.model_copy(update={"you": 2, "legal": ()}))
    assert f"Clocks:   bot 1 0:00   you {standing // 60}:{standing % 60:02}" in other.getvalue()


def test_a_pipe_is_told_what_the_ends_count(fives: list[Outcome]) -> None:
    view = next(o.view(1) for o in fives if o.view(1).my_turn and len(o.view(1).layout) > 4)
    out = io.StringIO()
    display(out).show(view)
    assert re.search(r"^Ends: left \d  right \d  total \d+   boneyard: \d+ tiles?$", out.getvalue(), re.MULTILINE)
    assert re.search(r"^Ends after \d", out.getvalue(), re.MULTILINE) or view.legal[0] in ("draw", "pass")


def test_a_page_covers_the_table_until_it_is_drawn_again(mine: TableView) -> None:
    out = io.StringIO()
    shown = display(out, terminal=True)
    shown.show(mine)
    shown.page(["one", "two"], "back > ")
    assert shown.shows_page
    assert out.getvalue().endswith(f"{CLEAR}\n\none\ntwo\n\nback > ")
    shown.redraw()
    assert not shown.shows_page
    plain = io.StringIO()
    display(plain).page(["one", "two"], "back > ")
    assert plain.getvalue() == "one\ntwo\n"
