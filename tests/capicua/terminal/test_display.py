import io
import json
import re

import pytest
from rich.console import Console
from tests.capicua.matches import Outcome, match

from capicua.server_clock import ServerClock
from capicua.terminal.display import (
    BELL,
    SILENCE_TOLD_MS,
    SILENT,
    TICK_SECONDS_MIN,
    Display,
)
from capicua.terminal.page import CLEAR, RESTORE, SAVE, TO_TOP
from capicua.terminal.status import PLAYED_FOR
from capicua.terminal.ticking import LOST
from capicua.view import Event, TableView


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("draw", 2, 50))


@pytest.fixture
def mine(outcomes: list[Outcome]) -> TableView:
    return next(outcome.view(1) for outcome in outcomes if outcome.view(1).my_turn)


class Now:
    """The server's time, in ms, which a test moves."""

    def __init__(self, ms: int) -> None:
        self.ms = ms
        self.clock = ServerClock(lambda: self.ms, lambda: ms)
        self.clock.answered(ms, ms)


def display(
    out: io.StringIO, *, terminal: bool = False, as_json: bool = False, now: Now | None = None, term: str = "xterm"
) -> Display:
    environment = {"TERM": term}
    console = Console(
        file=out, width=80, force_terminal=terminal, color_system=None, highlight=False, _environ=environment
    )
    return Display(console, (now or Now(0)).clock, as_json=as_json)


def due(view: TableView, due_at: int, **changes: object) -> TableView:
    """The view with its deadline changed."""
    assert view.deadline is not None
    deadline = view.deadline.model_copy(update={"due_at": due_at, **changes})
    return view.model_copy(update={"deadline": deadline})


def test_a_pipe_gets_plain_lines_and_on_the_own_turn_the_hand(mine: TableView) -> None:
    out = io.StringIO()
    display(out).show(mine)
    lines = out.getvalue().splitlines()
    hand = "  ".join(f"{number}:{tile}" for number, tile in enumerate(mine.hand or (), 1))
    assert lines[-2:] == [f"Your turn. Hand: {hand}", f"Playable: {' '.join(mine.legal)}"]
    assert "\x1b" not in out.getvalue()


def test_who_was_too_late_is_told_so_until_the_own_next_turn_is_over(mine: TableView) -> None:
    out = io.StringIO()
    shown = display(out, terminal=True, now=Now(mine.deadline_ms - 9_000))

    def first_line(view: TableView, *events: Event) -> str:
        out.truncate(out.seek(0))
        shown.show(view.model_copy(update={"events": events}))
        return out.getvalue().removeprefix(CLEAR).splitlines()[0]

    theirs = mine.model_copy(update={"to_move": 2})
    own: Event = {"type": "tile-played", "seat": 1, "tile": "6-3", "end": "left"}
    other = {**own, "seat": 2}
    late = {"type": "turn-timed-out", "turn": 3, "seat": 1}
    assert PLAYED_FOR not in first_line(theirs, late, own)
    assert first_line(mine, other) == f"Your turn: 9 s   {PLAYED_FOR}"
    assert PLAYED_FOR not in first_line(theirs, own)
    assert PLAYED_FOR not in first_line(mine, other)
    assert PLAYED_FOR not in first_line(mine, {**late, "seat": 2})


def test_an_error_stands_below_the_prompt(mine: TableView) -> None:
    out = io.StringIO()
    shown = display(out, terminal=True)
    shown.end_line()
    assert out.getvalue() == ""
    shown.show(mine, "? ")
    shown.end_line()
    assert out.getvalue().replace(BELL, "").endswith("? \n")


def test_a_turn_whose_deadline_is_put_off_is_not_announced_again(mine: TableView) -> None:
    out = io.StringIO()
    shown = display(out)
    shown.show(mine)
    before = out.getvalue()
    again = mine.model_copy(update={"from_version": mine.version, "events": ()})
    shown.show(due(again, mine.deadline_ms + 9_000, given_back_ms=9_000))
    assert out.getvalue()[len(before) :] == "(the service was silent: 9 s are given back)\n"


def test_a_turn_is_announced_once_however_many_events_come_that_are_nothing_to_a_player(mine: TableView) -> None:
    out = io.StringIO()
    shown = display(out)
    shown.show(mine)
    before = out.getvalue()
    measured = {"type": "delay-measured", "seat": 2, "delay_ms": 80}
    shown.show(mine.model_copy(update={"version": mine.version + 1, "events": (measured, {"type": "of-later"})}))
    assert out.getvalue() == before
    shown.show(mine.model_copy(update={"legal": ("draw",), "events": ()}))
    assert out.getvalue().endswith("Playable: draw\n")


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
    display(out, terminal=True, now=Now(mine.deadline.due_at - 7_500)).show(mine)
    assert out.getvalue().startswith(f"{CLEAR}Your turn: 8 s\n")


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
    now = Now(mine.deadline.due_at - 7_500)
    shown = display(out, terminal=True, now=now)
    shown.show(mine)
    drawn = len(out.getvalue())
    assert shown.tick() == pytest.approx(0.5, abs=0.01)
    assert out.getvalue()[drawn:] == ""
    now.ms += 501
    assert shown.tick() == pytest.approx(1, abs=0.01)
    assert out.getvalue()[drawn:] == f"{SAVE}{TO_TOP}Your turn: 7 s{RESTORE}"
    shown.tick(LOST)
    assert "Your turn: 7 s   connection lost" in out.getvalue()[drawn:]
    shown.tick()
    now.ms += 8_000
    assert shown.tick() == 1
    assert out.getvalue().endswith(f"Your turn: 0 s – time is up{RESTORE}{BELL}")
    now.ms += SILENCE_TOLD_MS
    shown.tick("no answer yet")
    assert out.getvalue().endswith(f"{SILENT}   no answer yet{RESTORE}")


def test_a_lost_connection_is_told_also_where_nothing_runs(mine: TableView) -> None:
    out = io.StringIO()
    shown = display(out, terminal=True)
    shown.show(mine.model_copy(update={"deadline": None}))
    assert shown.tick(LOST) == 1
    assert "connection lost" in out.getvalue()


def test_at_five_seconds_of_the_own_turn_a_terminal_changes_and_rings_once(mine: TableView) -> None:
    out = io.StringIO()
    now = Now(mine.deadline_ms - 5_100)
    shown = display(out, terminal=True, now=now)
    shown.show(mine)
    assert "hurry" not in out.getvalue()
    for _ in range(30):
        shown.tick()
        now.ms += 100
    assert "Your turn: 5 s – hurry!" in out.getvalue()
    shown.show(due(mine, mine.deadline_ms + 9_000, given_back_ms=9_000))
    now.ms += 8_000
    shown.tick()
    assert out.getvalue().count(BELL) == 1
    shown.show(due(mine, now.ms + 4_000, set_at=now.ms).model_copy(update={"turn": mine.turn + 2}))
    assert out.getvalue().count(BELL) == 2


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_pipe_and_a_terminal_that_can_do_nothing_get_a_line_and_no_bell(mine: TableView, term: str) -> None:
    out = io.StringIO()
    now = Now(mine.deadline_ms - 5_100)
    shown = display(out, terminal=term == "dumb", now=now, term=term)
    shown.show(mine)
    before = out.getvalue()
    for _ in range(4):
        shown.tick()
        now.ms += 1_000
    assert out.getvalue()[len(before) :] == "Hurry: 5 s left\n"
    assert "\x1b" not in out.getvalue()


def test_nobody_is_hurried_by_time_that_is_not_theirs_and_no_program_at_all(mine: TableView) -> None:
    now = Now(mine.deadline_ms - 2_000)
    for view in (mine.model_copy(update={"acted": True}), mine.model_copy(update={"you": 2, "legal": ()})):
        out = io.StringIO()
        shown = display(out, terminal=True, now=now)
        shown.show(view)
        shown.tick()
        assert BELL not in out.getvalue()
        assert "Turn ends: 2 s" in out.getvalue()
    out = io.StringIO()
    display(out, as_json=True, now=now).show(mine)
    assert len(out.getvalue().splitlines()) == 1
    json.loads(out.getvalue())


def test_a_pipe_is_told_how_a_pause_ends(outcomes: list[Outcome]) -> None:
    pausing = next(outcome.view(1) for outcome in outcomes if outcome.view(1).status == "pausing")
    assert pausing.deadline is not None
    out = io.StringIO()
    seats = tuple(seat.model_copy(update={"bot": False}) for seat in pausing.seats)
    display(out, now=Now(pausing.deadline.set_at)).show(pausing.model_copy(update={"seats": seats}))
    assert out.getvalue().splitlines()[-1] == "Next round in 8 s, or Enter"


@pytest.fixture(scope="module")
def fives() -> list[Outcome]:
    return list(match("all-fives", 2, 100))


def test_match_clocks_count_down_in_the_first_line_the_one_that_runs_and_the_one_that_stands(
    fives: list[Outcome],
) -> None:
    view = next(o.view(1) for o in fives if o.view(1).my_turn and len(o.view(1).layout) > 4)
    assert view.deadline is not None
    assert view.clocks is not None
    out, now = io.StringIO(), Now(view.deadline.due_at - 65_500)
    shown = display(out, terminal=True, now=now)
    shown.show(view)
    standing = view.clocks[1] // 1000
    expected = f"Your turn:   you 1:05   bot 2 {standing // 60}:{standing % 60:02}"
    assert out.getvalue().startswith(f"{CLEAR}{expected}\n")
    now.ms += 56_170
    assert shown.tick() == TICK_SECONDS_MIN
    assert out.getvalue().endswith(f"{expected.replace('1:05', '0:09.3')}\x1b8")
    now.ms += 100
    shown.tick()
    assert out.getvalue().endswith(f"{expected.replace('1:05', '0:09.2')}\x1b8")
    other = io.StringIO()
    display(other, terminal=True, now=Now(view.deadline.due_at + 1)).show(
        view.model_copy(update={"you": 2, "legal": ()})
    )
    assert f"Clocks:   bot 1 0:00.0   you {standing // 60}:{standing % 60:02}" in other.getvalue()


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
    shown.cover(["one", "two"], "back > ")
    assert shown.shows_page
    assert out.getvalue().endswith(f"{CLEAR}\n\none\ntwo\n\nback > ")
    shown.redraw()
    assert not shown.shows_page
    plain = io.StringIO()
    display(plain).cover(["one", "two"], "back > ")
    assert plain.getvalue() == "one\ntwo\n"
