from typing import Any

import pytest
from tests.capicua.matches import Outcome, match

from capicua.terminal.narration import narrate
from capicua.view import TableView


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
    ],
)
def test_each_event_is_a_sentence(view: TableView, event: dict[str, Any], line: str) -> None:
    assert told(view, **event) == line


def test_events_that_nobody_needs_to_read_are_silent(view: TableView) -> None:
    quiet = ({"type": "turn-started", "seat": 1}, {"type": "round-committed", "round": 1}, {"type": "of-the-future"})
    assert narrate(view.model_copy(update={"events": quiet})) == []


def test_what_was_missed_is_said(view: TableView) -> None:
    assert narrate(view.model_copy(update={"missed": True, "events": ()})) == ["(some time passed unseen)"]
