"""Turns of a table's log have their time, and a match is lost by the clock only when one ran out."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from tests.domino_rules.table.lives import Step, all_lives, events_of
from tests.domino_rules.test_verification import Log, first_wrong, golden, index_of

from domino_rules.verification import Wrong, verify_match


@pytest.fixture
def flagged() -> Log:
    """A match of `duel-draw` that ends by the clock."""
    return copy.deepcopy(golden("duel-draw-flag"))


@pytest.fixture
def left() -> Log:
    """A match of `draw` whose people leave and come back."""
    return copy.deepcopy(golden("draw-4"))


@settings(max_examples=25, deadline=None)
@given(all_lives)
def test_the_log_of_every_table_is_right(steps: list[Step]) -> None:
    assert verify_match([event.to_json() for event in events_of(steps)]) is None


@pytest.mark.parametrize("name", ["duel-draw", "all-fives"])
def test_a_flag_that_no_clock_bears_out_is_named(name: str) -> None:
    log = golden(name)
    turn = index_of(log, "turn-started")
    ended = {"type": "match-ended", "reason": "clock", "winner": [3 - log[turn]["seat"]], "scores": [0, 0]}
    revealed = log[index_of(log, "seed-revealed")]
    number = log[turn]["turn"]
    forged = [*log[: turn + 1], ended, revealed]
    expected = f"turn-timed-out of turn {number} first"
    assert first_wrong(forged) == Wrong(turn + 1, "match-ended", expected, "match-ended")
    timed_out = {"type": "turn-timed-out", "turn": number, "seat": log[turn]["seat"]}
    forged.insert(turn + 1, timed_out)
    expected = f"clock-stopped of turn {number} first"
    assert first_wrong(forged) == Wrong(turn + 2, "match-ended", expected, "match-ended")
    stopped = {"type": "clock-stopped", "turn": number, "seat": log[turn]["seat"], "left_ms": 1}
    forged.insert(turn + 2, stopped)
    assert first_wrong(forged) == Wrong(turn + 2, "clock-stopped, left_ms", "0", "1")


def test_who_has_run_out_of_time_plays_no_tile(flagged: Log) -> None:
    turn, at = index_of(flagged, "turn-started", 1), index_of(flagged, "clock-stopped", 1)
    flagged.insert(at, {"type": "turn-timed-out", "turn": flagged[turn]["turn"], "seat": flagged[turn]["seat"]})
    flagged[at + 1]["left_ms"] = 0
    after = first_wrong(flagged)
    assert (after.expected, after.got) == ("the end by the clock", flagged[after.index]["type"])


@pytest.mark.parametrize(
    ("tag", "field", "change"),
    [
        ("clock-stopped", "turn", 1),
        ("clock-stopped", "seat", 1),
        ("clock-stopped", "left_ms", 10**6),
        ("clock-stopped", "left_ms", -(10**6)),
        ("turn-timed-out", "turn", 1),
        ("turn-timed-out", "seat", 1),
        ("turn-started", "kind", "turn"),
        ("turn-started", "kind", "autopilot"),
        ("turn-started", "due_at", 1),
        ("turn-started", "due_at", -1),
    ],
)
def test_what_is_wrong_about_a_turn_is_named_by_its_field(flagged: Log, tag: str, field: str, change: Any) -> None:
    at = index_of(flagged, tag)
    flagged[at][field] = change if isinstance(change, str) else flagged[at][field] + change
    wrong = first_wrong(flagged)
    assert (wrong.index, wrong.what) == (at, f"{tag}, {field}")


def test_a_clock_goes_on_with_what_was_left_on_it(flagged: Log) -> None:
    turns = [index for index, body in enumerate(flagged) if body["type"] == "turn-started"]
    at = turns[2]
    had = flagged[at]["due_at"] - flagged[at]["set_at"]
    assert had < 60_000
    flagged[at]["due_at"] = flagged[at]["set_at"] + 60_000
    expected = str(flagged[at]["set_at"] + had)
    assert first_wrong(flagged) == Wrong(at, "turn-started, due_at", expected, str(flagged[at]["due_at"]))


def test_a_clock_is_charged_no_more_than_has_passed(flagged: Log) -> None:
    at = index_of(flagged, "clock-stopped")
    flagged[at]["left_ms"] -= 1
    wrong = first_wrong(flagged)
    assert wrong.index == index_of(flagged, "turn-started", 1)
    assert wrong.what == "turn-started, set_at"
    assert int(wrong.got) == flagged[wrong.index]["set_at"]


def test_a_clock_stops_once_and_before_the_action(flagged: Log) -> None:
    at = index_of(flagged, "clock-stopped")
    stopped = flagged.pop(at)
    number = stopped["turn"]
    assert first_wrong(flagged) == Wrong(at, "tile-played", f"clock-stopped of turn {number} first", "tile-played")
    flagged[at:at] = [stopped, stopped]
    assert first_wrong(flagged) == Wrong(
        at + 1, "clock-stopped", f"an action of seat {stopped['seat']}", "clock-stopped"
    )


def test_an_action_needs_its_turn(flagged: Log) -> None:
    flagged = [body for body in flagged if body["type"] not in ("turn-started", "clock-stopped")]
    at = index_of(flagged, "tile-played", 1)
    assert first_wrong(flagged) == Wrong(at, "tile-played", "turn-started", "tile-played")


def test_a_turn_timer_is_the_rulesets_own(left: Log) -> None:
    at = next(index for index, body in enumerate(left) if body.get("kind") == "turn")
    left[at]["due_at"] += 1
    due = str(left[at]["set_at"] + 20_000)
    assert first_wrong(left) == Wrong(at, "turn-started, due_at", due, str(left[at]["due_at"]))


def test_the_autopilot_acts_after_two_seconds(left: Log) -> None:
    at = next(index for index, body in enumerate(left) if body.get("kind") == "autopilot")
    left[at]["due_at"] = left[at]["set_at"] + 20_000
    assert first_wrong(left).what == "turn-started, due_at"
    left[at]["kind"] = "turn"
    assert first_wrong(left) == Wrong(at, "turn-started, kind", "autopilot", "'turn'")


def test_a_timer_that_runs_is_not_set_again(left: Log) -> None:
    at = next(index for index, body in enumerate(left) if body.get("kind") == "turn")
    left.insert(at + 1, left[at])
    expected = f"an action of seat {left[at]['seat']}"
    assert first_wrong(left) == Wrong(at + 1, "turn-started", expected, f"turn {left[at]['turn']} again")


def test_a_person_who_comes_back_a_second_time_gets_no_fresh_timer(left: Log) -> None:
    at = next(index for index, body in enumerate(left) if body.get("kind") == "turn")
    turn, seat, noon = left[at]["turn"], left[at]["seat"], left[at]["set_at"]

    def away(now: int) -> Log:
        started = {"type": "turn-started", "turn": turn, "seat": seat, "kind": "autopilot"}
        return [
            {"type": "autopilot-started", "seat": seat, "reason": "left"},
            {**started, "set_at": now, "due_at": now + 2_000},
        ]

    def back(now: int) -> Log:
        started = {"type": "turn-started", "turn": turn, "seat": seat, "kind": "turn"}
        return [
            {"type": "autopilot-stopped", "seat": seat},
            {**started, "set_at": now, "due_at": now + 20_000},
        ]

    left[at + 1 :] = [*away(noon + 10), *back(noon + 20), *away(noon + 30), *back(noon + 20)]
    assert first_wrong(left) == Wrong(len(left), "end", "match-ended", "no more events")
    left[-2:] = back(noon + 40)
    assert first_wrong(left) == Wrong(len(left) - 1, "turn-started, set_at", str(noon + 20), str(noon + 40))


def test_who_is_on_autopilot_does_not_time_out(left: Log) -> None:
    at = next(index for index, body in enumerate(left) if body.get("kind") == "autopilot")
    seat = left[at]["seat"]
    left.insert(at + 1, {"type": "turn-timed-out", "turn": left[at]["turn"], "seat": seat})
    assert first_wrong(left) == Wrong(at + 1, "turn-timed-out", f"an action of seat {seat}", "turn-timed-out")


def test_a_table_without_clocks_stops_none(left: Log) -> None:
    at = next(index for index, body in enumerate(left) if body.get("kind") == "turn")
    seat = left[at]["seat"]
    left.insert(at + 1, {"type": "clock-stopped", "turn": left[at]["turn"], "seat": seat, "left_ms": 0})
    assert first_wrong(left) == Wrong(at + 1, "clock-stopped", f"an action of seat {seat}", "clock-stopped")


def test_a_pause_is_as_long_as_the_ruleset_has_it() -> None:
    log = copy.deepcopy(golden("draw-2"))
    at = index_of(log, "pause-started")
    due_at = log[at]["due_at"]
    log[at]["due_at"] += 1
    assert first_wrong(log) == Wrong(at, "pause-started, due_at", str(due_at), str(due_at + 1))
