"""A play and the timeout of its turn, in both orders and at the very millisecond, in every preset."""

from typing import Any

import pytest
from tests.given import ENTROPY
from tests.table.tables import NOON, Table, act, dealt, decider, given, kinds

from bus.decider import Deadline
from bus.judging import Decision, context_of, judge
from bus.outages import Outage, Outages
from contracts.envelope import CommandEnvelope, TimeOut
from contracts.message import Message
from contracts.table import LeaveTable, NextRound, ReturnToSeat, SitDown
from domino_rules.ruleset import PRESETS, Ruleset
from domino_rules.table import Finished, Playing, TableEvent, TableState
from domino_rules.table.events import ClockStopped

CLOCKED = ["turn-timed-out", "clock-stopped", "match-ended", "seed-revealed"]
STAYING = ["turn-timed-out", "autopilot-started", "tile-played", "turn-started"]
ONCE = ["turn-timed-out", "tile-played", "turn-started"]
BY_TIMEOUT = {"draw": STAYING, "block": STAYING, "party": ONCE, "duel-draw": CLOCKED, "all-fives": CLOCKED}
IN_TIME = {
    preset: [*(["clock-stopped"] if tags is CLOCKED else []), "tile-played", "turn-started"]
    for preset, tags in BY_TIMEOUT.items()
}
TIME_MS = {"draw": 20_000, "block": 20_000, "party": 15_000, "duel-draw": 600_000, "all-fives": 600_000}
PLAY = act("6-1", 1)
"""The autopilot would play the heavier 6-6."""

every_preset = pytest.mark.parametrize("preset", PRESETS)


def turn_1(preset: str) -> Table:
    """Ann is to open with any tile; her time began at noon."""
    return given(*dealt(forced=False, ruleset=Ruleset.of(preset, 2)))


def deadline(played: Table) -> Deadline:
    assert played.state is not None
    due = decider.deadline(played.state)
    assert due is not None
    return due


def time_out(of: Deadline) -> TimeOut:
    return TimeOut(kind=of.kind, ref=of.ref)


def hand(played: Table) -> tuple[int, ...]:
    assert played.state is not None
    assert played.state.match.round is not None
    return played.state.match.round.hands[0]


def tags(decision: Decision[TableState, TableEvent]) -> list[str]:
    return [event.tag for event in decision.events]


@every_preset
def test_the_time_of_a_turn_is_the_presets(preset: str) -> None:
    due = deadline(turn_1(preset))
    assert (due.set_at, due.due_at) == (NOON, NOON + TIME_MS[preset])


# ---- the play comes first


@every_preset
def test_a_play_at_the_deadline_is_in_time_and_the_timer_comes_to_nothing(preset: str) -> None:
    played = turn_1(preset)
    due = deadline(played)
    then = played.when(PLAY, by="ann", at=due.due_at)
    assert kinds(then) == IN_TIME[preset]
    played = played.after(PLAY, by="ann", at=due.due_at)
    for at in (due.due_at, due.due_at + 1, due.due_at + 600_000):
        played.when(time_out(due), by="timer", at=at).refused("not-current")


@every_preset
def test_a_play_logged_at_the_deadline_is_in_time_however_late_it_is_decided(preset: str) -> None:
    played = turn_1(preset)
    due_at = deadline(played).due_at
    then = played.when(PLAY, by="ann", at=due_at, decided_at=due_at + 9_000)
    assert kinds(then) == IN_TIME[preset]


@every_preset
def test_a_timer_that_is_early_changes_nothing_and_may_come_again(preset: str) -> None:
    played = turn_1(preset)
    due = deadline(played)
    for at in (NOON - 1, NOON, due.due_at - 1, due.due_at):
        played.when(time_out(due), by="timer", at=at).refused("too-early")
    assert kinds(played.when(PLAY, by="ann", at=due.due_at)) == IN_TIME[preset]
    assert kinds(played.when(time_out(due), by="timer", at=due.due_at + 1)) == BY_TIMEOUT[preset]


# ---- the timeout comes first


@every_preset
def test_a_play_one_millisecond_later_brings_the_timeout_and_is_too_late(preset: str) -> None:
    played = turn_1(preset)
    due = deadline(played)
    late = played.when(PLAY, by="ann", at=due.due_at + 1).decision
    assert late.code == "too-late"
    assert tags(late) == BY_TIMEOUT[preset]
    timed = played.when(time_out(due), by="timer", at=due.due_at + 1).decision
    assert (timed.code, timed.events, timed.state) == ("accepted", late.events, late.state)


@every_preset
def test_a_play_after_the_timers_own_timeout_is_too_late_and_the_hand_is_unchanged(preset: str) -> None:
    played = turn_1(preset)
    due = deadline(played)
    played = played.after(time_out(due), by="timer", at=due.due_at + 1)
    before = hand(played)
    played.when(PLAY, by="ann", at=due.due_at + 1).refused("too-late")
    played.when(PLAY, by="ann", at=due.due_at + 1_000).refused("too-late")
    assert hand(played) == before


@every_preset
def test_two_timers_have_one_effect(preset: str) -> None:
    played = turn_1(preset)
    due = deadline(played)
    played = played.after(time_out(due), by="timer", at=due.due_at + 1)
    for at in (due.due_at + 1, due.due_at + 600_000):
        played.when(time_out(due), by="timer", at=at).refused("not-current")


@every_preset
def test_after_a_late_play_the_timer_comes_to_nothing(preset: str) -> None:
    played = turn_1(preset)
    due = deadline(played)
    played.state = played.when(PLAY, by="ann", at=due.due_at + 1).decision.state
    played.when(time_out(due), by="timer", at=due.due_at + 2).refused("not-current")


@every_preset
def test_a_timer_ten_minutes_late_does_what_it_would_have_done(preset: str) -> None:
    assert kinds(turn_1(preset).when_due(late_ms=600_000)) == BY_TIMEOUT[preset]


@every_preset
@pytest.mark.parametrize("command", [NextRound(round=1), SitDown(), ReturnToSeat(), LeaveTable()])
def test_whatever_comes_first_after_the_deadline_brings_the_timeout(preset: str, command: Message) -> None:
    played = turn_1(preset)
    due = deadline(played)
    decision = played.when(command, by="bob", at=due.due_at + 1).decision
    assert tags(decision)[: len(BY_TIMEOUT[preset])] == BY_TIMEOUT[preset]
    assert (decision.code == "table-over") == isinstance(decision.state, Finished)


@every_preset
def test_the_other_seat_plays_on_what_the_timeout_left(preset: str) -> None:
    """Bob's turn 2 begins with the timeout of turn 1, in the outcome of his own play; a lost match has none."""
    played = turn_1(preset)
    decision = played.when(act("6-5", 2), by="bob", at=deadline(played).due_at + 1).decision
    if BY_TIMEOUT[preset] is CLOCKED:
        assert decision.code == "table-over"
    else:
        assert decision.code == "end-needed"  # 6-6 lies, and 6-5 fits both ends
    assert tags(decision) == BY_TIMEOUT[preset]


# ---- timers of something else


@every_preset
@pytest.mark.parametrize(
    "ref", ["turn-2", "clock-2", "autopilot-1", "turn-1-2", "turn-0", "pause-1", "start", "expiry-1"]
)
def test_a_timeout_of_another_deadline_is_not_current(preset: str, ref: str) -> None:
    played = turn_1(preset)
    stale = TimeOut(kind=ref.split("-")[0], ref=ref)
    for at in (NOON, deadline(played).due_at + 1):
        played.when(stale, by="timer", at=at).refused("not-current")


@every_preset
def test_a_timeout_of_another_kind_is_not_current_even_with_the_right_name(preset: str) -> None:
    played = turn_1(preset)
    due = deadline(played)
    played.when(TimeOut(kind="pause", ref=due.ref), by="timer", at=due.due_at + 1).refused("not-current")


# ---- outages

SILENCE_MS = 10_000


def judged(played: Table, command: Message, at: int, outages: Outages) -> Decision[TableState, TableEvent]:
    principal = "timer" if isinstance(command, TimeOut) else "ann"
    envelope = CommandEnvelope(id="c", principal=principal, aggregate="t", command=command.model_dump())
    return judge(decider, played.state, envelope.command, context_of(envelope, at, at, ENTROPY), outages)


def silence(begin: int) -> Outages:
    """Ten seconds without an owner; with five more they are given back."""
    return Outages(begin + SILENCE_MS, (Outage(begin, begin + SILENCE_MS),))


@every_preset
@pytest.mark.parametrize("begin_ms", [0, 5_000, -1])
def test_what_an_outage_gives_back_puts_both_off_alike(preset: str, begin_ms: int) -> None:
    """The outage begins so long after the turn; -1: one millisecond before the deadline."""
    played = turn_1(preset)
    due = deadline(played)
    outages = silence(due.due_at - 1 if begin_ms < 0 else NOON + begin_ms)
    put_off = due.due_at + SILENCE_MS + 5_000
    for at in (due.due_at + 1, put_off):
        assert tags(judged(played, PLAY, at, outages)) == IN_TIME[preset]
        assert judged(played, time_out(due), at, outages).code == "too-early"
    late = judged(played, PLAY, put_off + 1, outages)
    assert (late.code, tags(late)) == ("too-late", BY_TIMEOUT[preset])
    timed = judged(played, time_out(due), put_off + 1, outages)
    assert (timed.code, timed.state) == ("accepted", late.state)


@every_preset
@pytest.mark.parametrize("begin_ms", [-1, TIME_MS["all-fives"], TIME_MS["all-fives"] + 1])
def test_an_outage_before_the_turn_or_after_its_deadline_gives_nothing_back(preset: str, begin_ms: int) -> None:
    played = turn_1(preset)
    due = deadline(played)
    outages = silence(NOON + begin_ms)
    assert judged(played, PLAY, due.due_at, outages).code == "accepted"
    assert judged(played, PLAY, due.due_at + 1, outages).code == "too-late"


@pytest.mark.parametrize("preset", ["duel-draw", "all-fives"])
def test_who_plays_at_the_deadline_that_was_put_off_has_nothing_left_and_not_less(preset: str) -> None:
    played = turn_1(preset)
    put_off = deadline(played).due_at + SILENCE_MS + 5_000
    first: Any = judged(played, PLAY, put_off, silence(NOON + 5_000)).events[0]
    assert first == ClockStopped(1, 1, 0)
    earlier: Any = judged(played, PLAY, put_off - 7_000, silence(NOON + 5_000)).events[0]
    assert earlier == ClockStopped(1, 1, 7_000)


@every_preset
def test_a_timeout_that_was_put_off_still_starts_the_next_turn_from_now(preset: str) -> None:
    if BY_TIMEOUT[preset] is CLOCKED:
        assert isinstance(turn_1(preset).when_due().decision.state, Finished)
        return
    at = NOON + TIME_MS[preset] + SILENCE_MS + 5_001
    state = judged(turn_1(preset), time_out(deadline(turn_1(preset))), at, silence(NOON)).state
    assert isinstance(state, Playing)
    assert state.turn is not None
    assert (state.turn.set_at, state.turn.due_at) == (at, at + TIME_MS[preset])
