import io
import json

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
