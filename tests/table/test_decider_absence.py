"""The autopilot, leaving and coming back."""

import pytest
from tests.table.tables import NOON, Table, dealt, given, kinds, opened, play

from contracts.envelope import TimeOut
from contracts.message import Message
from contracts.table import (
    LeaveTable,
    ReturnToSeat,
    SitDown,
)
from domino_rules import table
from domino_rules.ruleset import PRESETS, Ruleset
from domino_rules.table import Finished, Playing
from domino_rules.table.events import (
    AutopilotStarted,
    AutopilotStopped,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    TurnStarted,
)

# ---- autopilot, leaving, returning


def away(*, left: bool = False) -> Table:
    """Ann timed out, or left, in turn 1; bob has played; turn 3 is hers and the autopilot's."""
    table_ = given(*dealt())
    if left:
        table_ = table_.after(LeaveTable(), by="ann", at=NOON)
    turn = table_.state
    assert isinstance(turn, Playing)
    due = table.deadline(turn)
    assert due is not None
    table_ = table_.after(TimeOut(kind=due.kind, ref=due.ref), by="timer", at=due.due_at + 1)
    return table_.after(play("6-5@left", 2), by="bob", at=NOON + 21_000)


def test_the_autopilot_acts_two_seconds_after_its_turn_began() -> None:
    state = away().state
    assert isinstance(state, Playing)
    assert table.deadline(state) == ("autopilot", "autopilot-3", NOON + 21_000, NOON + 23_000)
    assert kinds(away().when_due()) == ["tile-played", "turn-started"]


def test_a_play_of_the_autopilots_turn_stops_it_and_counts() -> None:
    then = away().when(play("6-1@right", 3), by="ann", at=NOON + 22_000)
    assert kinds(then) == ["autopilot-stopped", "tile-played", "turn-started"]


def test_a_play_after_the_autopilot_was_due_is_too_late() -> None:
    then = away().when(play("6-1@right", 3), by="ann", at=NOON + 23_001)
    assert then.decision.refusal is not None
    assert then.decision.refusal.code == "too-late"
    assert [event.tag for event in then.decision.events] == ["tile-played", "turn-started"]


def test_a_return_in_the_own_turn_gives_a_fresh_timer_of_the_same_turn() -> None:
    away().when(ReturnToSeat(), by="ann", at=NOON + 22_000).then(
        AutopilotStopped(1), TurnStarted(3, 1, "turn", NOON + 22_000, NOON + 42_000)
    )


def test_a_refused_play_still_brings_the_person_back() -> None:
    away().when(play("3-2", 3), by="ann", at=NOON + 22_000).refused(
        "does-not-fit", AutopilotStopped(1), TurnStarted(3, 1, "turn", NOON + 22_000, NOON + 42_000)
    )


@pytest.mark.parametrize("command", [SitDown(), ReturnToSeat()])
def test_anything_in_another_ones_turn_stops_the_autopilot_without_a_timer(command: Message) -> None:
    timed_out = given(*dealt()).after(TimeOut(kind="turn", ref="turn-1"), by="timer", at=NOON + 20_001)
    timed_out.when(command, by="ann", at=NOON + 20_002).then(AutopilotStopped(1))


def test_a_turn_has_one_fresh_timer_however_often_its_person_goes_and_comes() -> None:
    returned = away().after(ReturnToSeat(), by="ann", at=NOON + 22_000)
    gone = returned.after(LeaveTable(), by="ann", at=NOON + 30_000)
    assert table.deadline(gone.state) == ("autopilot", "autopilot-3-3", NOON + 30_000, NOON + 32_000)  # type: ignore[arg-type]
    gone.when(ReturnToSeat(), by="ann", at=NOON + 31_000).then(
        PlayerReturned(1), AutopilotStopped(1), TurnStarted(3, 1, "turn", NOON + 22_000, NOON + 42_000)
    )


def test_leaving_in_the_own_turn_makes_it_the_autopilots() -> None:
    given(*dealt()).when(LeaveTable(), by="ann", at=NOON + 300).then(
        PlayerLeft(1),
        AutopilotStarted(1, "left"),
        TurnStarted(1, 1, "autopilot", NOON + 300, NOON + 2_300),
    )


def test_leaving_in_another_ones_turn_leaves_the_turn_alone() -> None:
    given(*dealt()).when(LeaveTable(), by="bob", at=NOON).then(PlayerLeft(2), AutopilotStarted(2, "left"))


def test_leaving_twice_changes_nothing_more() -> None:
    given(*dealt()).after(LeaveTable(), by="bob", at=NOON).when(LeaveTable(), by="bob", at=NOON).nothing()


@pytest.mark.parametrize("command", [play("6-1@right", 3), SitDown()])
def test_who_left_comes_back_by_returning_only(command: Message) -> None:
    away(left=True).when(command, by="ann", at=NOON + 21_500).refused("not-seated")
    assert kinds(away(left=True).when(ReturnToSeat(), by="ann", at=NOON + 21_500)) == [
        "player-returned",
        "autopilot-stopped",
        "turn-started",
    ]


def test_returning_when_one_is_there_changes_nothing() -> None:
    given(*dealt()).when(ReturnToSeat(), by="ann", at=NOON).nothing()


def test_a_seat_left_before_the_start_is_not_waited_for() -> None:
    then = given(*opened(), PlayerSeated(1, "salt")).when(LeaveTable(), by="bob", at=NOON)
    assert kinds(then)[:3] == ["player-left", "autopilot-started", "round-dealt"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_table_that_nobody_plays_at_comes_to_its_end_all_the_same(preset: str) -> None:
    alone = given(*opened(ruleset=Ruleset.of(preset, 2)))
    for _ in range(2_000):
        if isinstance(alone.state, Finished):
            break
        assert alone.state is not None
        due = table.deadline(alone.state)
        assert due is not None
        alone = alone.after(TimeOut(kind=due.kind, ref=due.ref), by="timer", at=due.due_at + 1)
    assert isinstance(alone.state, Finished)
    ended = alone.state.match.match_ended
    assert ended is not None
    assert ended.reason == ("target" if alone.state.table.ruleset.clock_ms is None else "clock")


def test_when_all_have_left_the_autopilots_play_to_the_end() -> None:
    gone = given(*dealt()).after(LeaveTable(), by="ann", at=NOON).after(LeaveTable(), by="bob", at=NOON)
    for _ in range(1_000):
        if isinstance(gone.state, Finished):
            break
        assert gone.state is not None
        due = table.deadline(gone.state)
        assert due is not None
        gone = gone.after(TimeOut(kind=due.kind, ref=due.ref), by="timer", at=due.due_at + 1)
    assert isinstance(gone.state, Finished)
