from typing import Any

import pytest
from rich.cells import cell_len
from tests.capicua.matches import Outcome, match

from capicua.countdown import PutOff
from capicua.terminal.narration import name, narrate, narrate_put_off, padded_name
from capicua.view import DeadlineView, TableView


@pytest.fixture(scope="module")
def view() -> TableView:
    """Seat 2 of three; seat 1 is a person, seat 3 a bot."""
    outcomes: list[Outcome] = list(match("block", 3, 50))
    base = outcomes[4].view(2)
    person = base.seats[0].model_copy(update={"bot": False})
    passes = ({"seat": 3, "ends": (5, 3)}, {"seat": 3, "ends": (2, 2)})
    return TableView.model_validate(base.model_dump() | {"seats": (person, *base.seats[1:]), "passes": passes})


def told(view: TableView, **event: Any) -> str:
    (line,) = narrate(view.model_copy(update={"events": (event,)}))
    return line


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"type": "round-dealt", "round": 2, "opener": 2}, "Round 2: you to open"),
        ({"type": "tile-played", "seat": 2, "tile": "6-6", "end": "start"}, "You open with 6-6"),
        ({"type": "tile-played", "seat": 1, "tile": "6-3", "end": "left"}, "Seat 1 plays 6-3 on the left"),
        ({"type": "tiles-drawn", "seat": 2, "count": 2, "tiles": "6-1 2-0"}, "You draw 6-1 2-0"),
        ({"type": "tiles-drawn", "seat": 3, "count": 1}, "Bot 3 draws 1 tile"),
        ({"type": "passed", "seat": 3}, "Bot 3 passes (open: 2)"),
        ({"type": "passed", "seat": 2}, "You pass"),
        ({"type": "turn-timed-out", "turn": 3, "seat": 2}, "You run out of time"),
        ({"type": "autopilot-started", "seat": 1, "reason": "left"}, "Seat 1 is played by the autopilot"),
        ({"type": "autopilot-stopped", "seat": 2}, "You are back"),
        ({"type": "player-left", "seat": 3}, "Bot 3 leaves"),
        (
            {"type": "round-ended", "reason": "blocked", "winner": 2, "points": 12},
            "The round is blocked: you win the round, 12 points",
        ),
        ({"type": "round-ended", "reason": "out", "winner": 3, "points": 7}, "Bot 3 wins the round, 7 points"),
        ({"type": "round-ended", "reason": "out", "winner": 3, "points": 1}, "Bot 3 wins the round, 1 point"),
        (
            {"type": "round-ended", "reason": "blocked", "winner": None, "points": 0},
            "The round is blocked and tied: nobody scores",
        ),
        ({"type": "match-ended", "reason": "target", "winner": [2]}, "You win the match (the target is reached)"),
        (
            {"type": "match-ended", "reason": "target", "winner": [1, 3]},
            "Seat 1 and bot 3 win the match (the target is reached)",
        ),
        ({"type": "match-ended", "reason": "round-cap", "winner": []}, "The match is drawn"),
        ({"type": "match-ended", "reason": "of-the-future", "winner": [2]}, "You win the match (of-the-future)"),
    ],
)
def test_each_event_is_a_sentence(view: TableView, event: dict[str, Any], line: str) -> None:
    assert told(view, **event) == line


def test_who_returns_from_having_left_is_back_once(view: TableView) -> None:
    returned = ({"type": "player-returned", "seat": 2}, {"type": "autopilot-stopped", "seat": 2})
    assert narrate(view.model_copy(update={"events": returned})) == ["You are back"]


def test_time_given_back_is_told(view: TableView) -> None:
    assert view.deadline is not None
    told = narrate_put_off(PutOff(given_back_ms=9500), view)
    assert told == ["(the service was silent: 9 s are given back)"]
    assert narrate_put_off(PutOff(), view) == []


@pytest.mark.parametrize(("seat", "who"), [(2, "You have"), (1, "Seat 1 has")])
def test_a_fresh_timer_is_told(view: TableView, seat: int, who: str) -> None:
    deadline = DeadlineView(kind="turn", set_at=1_000, due_at=21_000)
    again = view.model_copy(update={"to_move": seat, "deadline": deadline})
    assert narrate_put_off(PutOff(fresh=True), again) == [f"({who} a fresh timer: 20 s)"]


def test_events_that_nobody_needs_to_read_are_silent(view: TableView) -> None:
    quiet = (
        {"type": "turn-started", "seat": 1},
        {"type": "round-committed", "round": 1},
        {"type": "delay-measured", "seat": 2, "delay_ms": 80},
        {"type": "of-the-future"},
        {"type": "of-a-later-future", "seat": "none", "reason": [1]},
    )
    assert narrate(view.model_copy(update={"events": quiet})) == []


@pytest.mark.parametrize(
    ("you", "line"),
    [
        (1, "You win the match (bot 2 resigned)"),
        (2, "Bot 1 wins the match (you resigned)"),
        (None, "Bot 1 wins the match (bot 2 resigned)"),
    ],
)
def test_who_resigned_is_told_to_everybody(you: int | None, line: str) -> None:
    view = list(match("draw", 2, 50))[4].view(you)
    assert told(view, type="match-ended", reason="resigned", winner=[1], scores=[3, 8]) == line


def test_what_was_missed_is_said(view: TableView) -> None:
    assert narrate(view.model_copy(update={"missed": True, "events": ()})) == ["(some time passed unseen)"]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"seat": 2, "tile": "5-5", "end": "start", "points": 10}, "You open with 5-5 (the ends count 10, 10 points)"),
        ({"seat": 2, "tile": "5-4", "end": "up", "points": 0}, "You play 5-4 upwards (the ends count 10)"),
        ({"seat": 3, "tile": "5-4", "end": "down", "points": 0}, "Bot 3 plays 5-4 downwards (the ends count 10)"),
    ],
)
def test_in_all_fives_a_play_says_what_the_ends_count(view: TableView, event: dict[str, Any], line: str) -> None:
    fives = view.model_copy(update={"ruleset": view.ruleset | {"fives": True}})
    assert told(fives, type="tile-played", ends_total=10, **event) == line


@pytest.mark.parametrize(("seat", "whose"), [(2, "your"), (3, "bot 3's")])
def test_an_opening_by_the_game_names_the_hand_that_it_came_from(view: TableView, seat: int, whose: str) -> None:
    event = {"type": "tile-played", "seat": seat, "tile": "6-6", "end": "start", "by": "house"}
    assert told(view, **event) == f"The game opens with 6-6 from {whose} hand"


def test_in_pairs_both_win_a_round() -> None:
    view = list(match("party", 4, 100, pairs=True))[5].view(1)
    event = {"type": "round-ended", "reason": "out", "winner": 3, "points": 25}
    assert told(view, **event) == "You and bot 3 win the round, 25 points"


def test_people_are_called_by_their_names_and_bots_are_not() -> None:
    outcomes = list(match("draw", 3, 50))
    view = next(outcome.view(1) for outcome in outcomes if outcome.view(1).status == "playing")
    seats = tuple(seat.model_copy(update={"bot": seat.seat == 3}) for seat in view.seats)
    names = {"bot1": "Test", "bot2": "ada of\x1b[2J the lake", "bot3": "Nobody's Bot"}
    named = view.model_copy(update={"seats": seats, "names": names})
    assert [name(seat, named) for seat in (1, 2, 3, 4, None)] == ["you", "ada of [2J…", "bot 3", "seat 4", "nobody"]
    left = named.model_copy(update={"events": ({"type": "player-left", "seat": 2},), "missed": False})
    assert narrate(left) == ["Ada of [2J… leaves"]
    assert {cell_len(padded_name(seat, named)) for seat in (1, 2, 3)} == {11}
