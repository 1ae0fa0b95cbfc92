"""Match clocks: when they run, when they stand still, and what a fallen flag costs."""

import pytest
from tests.table.tables import NOON, Table, act, dealt, events_of, given, kinds, opened, turn_started

from bus.judging import context_of, judge
from bus.outages import Outage, Outages
from contracts.envelope import CommandEnvelope, TimeOut
from contracts.table import LeaveTable, NextRound, ReturnToSeat, SitDown
from domino_rules import MatchEnded, RoundDealt, table
from domino_rules.ruleset import Ruleset
from domino_rules.table import Finished, Pausing, Playing, view_for
from domino_rules.table.events import (
    ClockStopped,
    PauseStarted,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    SeedRevealed,
    TurnStarted,
    TurnTimedOut,
)
from table.decider import TableDecider

FIVES = Ruleset.of("all-fives", 2)
MINUTES_10 = 600_000
HANDS = ("6-5 2-1 3-2", "6-6 4-4 3-1")


def fives(hands: tuple[str, ...] = HANDS, boneyard: str = "5-3 2-2 6-0", target: int = 100) -> Table:
    """Ann opens with any tile, at noon, with ten minutes on either clock."""
    return given(*dealt(hands, boneyard, forced=False, ruleset=Ruleset.of("all-fives", 2, target=target)))


def clocks(played: Table) -> list[int]:
    assert played.state is not None
    shown: list[int] = view_for(played.state, None)["clocks"]
    return shown


def due_at(played: Table) -> int:
    assert played.state is not None
    due = table.deadline(played.state)
    assert due is not None
    return due.due_at


# ---- running and standing still


def test_the_first_turn_runs_on_the_whole_clock() -> None:
    played = fives()
    assert played.state is not None
    assert table.deadline(played.state) == ("clock", "clock-1", NOON, NOON + MINUTES_10)
    assert clocks(played) == [MINUTES_10, MINUTES_10]


def test_a_play_stops_the_own_clock_and_starts_the_others() -> None:
    then = fives().when(act("6-5", 1), by="ann", at=NOON + 7_000)
    stopped, played, started = events_of(then)
    assert stopped == ClockStopped(1, 1, MINUTES_10 - 7_000)
    assert played.tag == "tile-played"
    assert started == TurnStarted(2, 2, "clock", NOON + 7_000, NOON + 7_000 + MINUTES_10)


def test_the_next_own_turn_goes_on_with_what_is_left() -> None:
    played = (
        fives().after(act("6-5", 1), by="ann", at=NOON + 7_000).after(act("6-6@left", 2), by="bob", at=NOON + 9_500)
    )
    assert clocks(played) == [MINUTES_10 - 7_000, MINUTES_10 - 2_500]
    assert due_at(played) == NOON + 9_500 + MINUTES_10 - 7_000


def test_a_draw_renews_nothing_and_its_time_is_charged_with_the_turn() -> None:
    played = fives(("6-5 2-1", "4-4 3-1")).after(act("6-5", 1), by="ann", at=NOON)
    drawn = played.after(act("draw", 2), by="bob", at=NOON + 30_000)
    assert due_at(drawn) == NOON + MINUTES_10
    assert clocks(drawn) == [MINUTES_10, MINUTES_10]
    ended = events_of(drawn.when(act("5-3@right", 2), by="bob", at=NOON + 45_000))
    assert ended[0] == ClockStopped(2, 2, MINUTES_10 - 45_000)


def test_a_pass_stops_the_clock_too() -> None:
    played = fives(("6-5 2-1", "4-4 3-1"), boneyard="2-2").after(act("6-5", 1), by="ann", at=NOON)
    drawn = played.after(act("draw", 2), by="bob", at=NOON + 1_000)
    then = drawn.when(act("pass", 2), by="bob", at=NOON + 4_000)
    assert kinds(then) == ["clock-stopped", "passed", "turn-started"]
    assert events_of(then)[0] == ClockStopped(2, 2, MINUTES_10 - 4_000)


def test_a_refused_action_costs_its_time_and_nothing_else() -> None:
    fives().when(act("pass", 1), by="ann", at=NOON + 5_000).refused("must-play")


def test_clocks_stand_still_between_rounds() -> None:
    ended = fives(("6-5", "6-6 4-4")).after(act("6-5", 1), by="ann", at=NOON + 2_000)
    assert isinstance(ended.state, Pausing)
    assert clocks(ended) == [MINUTES_10 - 2_000, MINUTES_10]
    for seat in ("ann", "bob"):
        ended = ended.after(NextRound(round=1), by=seat, at=NOON + 8_000)
    assert isinstance(ended.state, Playing)
    assert clocks(ended) == [MINUTES_10 - 2_000, MINUTES_10]
    assert due_at(ended) == NOON + 8_000 + MINUTES_10 - 2_000


def test_the_round_that_ends_charges_its_last_turn_first() -> None:
    then = fives(("6-5", "6-6 4-4")).when(act("6-5", 1), by="ann", at=NOON + 2_000)
    assert kinds(then)[:4] == ["clock-stopped", "tile-played", "round-ended", "seed-revealed"]
    assert events_of(then)[-1] == PauseStarted(1, NOON + 2_000, NOON + 10_000)


def test_the_house_opens_without_a_clock_and_the_other_seat_is_next() -> None:
    waiting = given(*opened(ruleset=Ruleset.of("duel-draw", 2)), PlayerSeated(2, "salt"))
    then = waiting.when(SitDown(client_seed="sugar"), by="ann", at=NOON + 5)
    seated, deal, house, turn = events_of(then)
    assert seated == PlayerSeated(1, "sugar")
    assert isinstance(deal, RoundDealt)
    assert house.to_json()["by"] == "house"
    assert house.to_json()["seat"] == deal.opener
    assert turn == TurnStarted(1, 3 - deal.opener, "clock", NOON + 5, NOON + 5 + MINUTES_10)


# ---- whose fault time is


def test_a_play_is_charged_up_to_its_own_log_time_though_it_was_decided_later() -> None:
    then = fives().when(act("6-5", 1), by="ann", at=NOON + 3_000, decided_at=NOON + 20_000)
    stopped, _, started = events_of(then)
    assert stopped == ClockStopped(1, 1, MINUTES_10 - 3_000)
    assert started == turn_started(2, 2, FIVES, NOON + 20_000)


def test_a_play_that_was_logged_before_its_turn_began_costs_nothing() -> None:
    late = given(*dealt(HANDS, forced=False, ruleset=FIVES)[:-1], turn_started(1, 1, FIVES, NOON + 9_000))
    then = late.when(act("6-5", 1), by="ann", at=NOON + 8_500)
    assert events_of(then)[0] == ClockStopped(1, 1, MINUTES_10)


# ---- flags


def nearly_flagged(target: int = 100) -> Table:
    """Bob has ten milliseconds left in turn 4."""
    played = fives(("6-5 2-1 5-5", "6-6 4-4 6-3"), target=target).after(act("6-5", 1), by="ann", at=NOON)
    played = played.after(act("6-6@left", 2), by="bob", at=NOON + MINUTES_10 - 10)
    return played.after(act("5-5@right", 3), by="ann", at=NOON + MINUTES_10)


def test_at_zero_the_match_is_lost_whatever_the_score() -> None:
    flagged = nearly_flagged()
    assert flagged.state is not None
    assert due_at(flagged) == NOON + MINUTES_10 + 10
    timed_out, stopped, ended, revealed = events_of(flagged.when_due())
    assert timed_out == TurnTimedOut(4, 2)
    assert stopped == ClockStopped(4, 2, 0)
    assert ended == MatchEnded("clock", (1,), flagged.state.match.scores)
    assert isinstance(revealed, SeedRevealed)


def test_a_play_at_the_very_deadline_is_in_time_and_leaves_nothing() -> None:
    then = nearly_flagged().when(act("6-3@left", 4), by="bob", at=NOON + MINUTES_10 + 10)
    assert kinds(then) == ["clock-stopped", "tile-played", "turn-started"]
    assert events_of(then)[0] == ClockStopped(4, 2, 0)


def test_a_clock_without_time_flags_in_its_next_turn() -> None:
    played = nearly_flagged().after(act("6-3@left", 4), by="bob", at=NOON + MINUTES_10 + 10)
    back = played.after(act("draw", 5), by="ann", at=NOON + MINUTES_10 + 11)
    back = back.after(act("5-3@left", 5), by="ann", at=NOON + MINUTES_10 + 12)
    assert due_at(back) == NOON + MINUTES_10 + 12
    assert kinds(back.when_due())[2] == "match-ended"


def test_a_play_after_the_deadline_is_too_late_in_the_outcome_of_the_flag() -> None:
    flagged = nearly_flagged()
    then = flagged.when(act("6-3@left", 4), by="bob", at=NOON + MINUTES_10 + 11)
    assert then.decision.refusal is not None
    assert then.decision.refusal.code == "too-late"
    tags = [event.tag for event in then.decision.events]
    assert tags == ["turn-timed-out", "clock-stopped", "match-ended", "seed-revealed"]


def test_anything_else_after_the_deadline_finds_the_match_lost() -> None:
    then = nearly_flagged().when(NextRound(round=1), by="ann", at=NOON + MINUTES_10 + 11)
    assert then.decision.refusal is not None
    assert then.decision.refusal.code == "table-over"
    assert [event.tag for event in then.decision.events][2] == "match-ended"


def test_after_the_flag_nothing_runs_and_tiles_that_were_drawn_stay_drawn() -> None:
    played = fives(("6-5 2-1", "4-4 3-1")).after(act("6-5", 1), by="ann", at=NOON)
    drawn = played.after(act("draw", 2), by="bob", at=NOON + 1)
    over = drawn.after(TimeOut(kind="clock", ref="clock-2"), by="timer", at=NOON + MINUTES_10 + 1)
    assert isinstance(over.state, Finished)
    assert table.deadline(over.state) is None
    assert clocks(over) == [MINUTES_10, 0]
    assert [seat["tiles"] for seat in view_for(over.state, None)["seats"]] == [1, 3]


# ---- leaving


def test_leaving_in_the_own_turn_lets_the_clock_run() -> None:
    fives().when(LeaveTable(), by="ann", at=NOON + 100).then(PlayerLeft(1))
    left = fives().after(LeaveTable(), by="ann", at=NOON + 100)
    assert due_at(left) == NOON + MINUTES_10
    assert kinds(left.when_due()) == ["turn-timed-out", "clock-stopped", "match-ended", "seed-revealed"]


def test_returning_is_at_once_and_gives_no_time_back() -> None:
    left = fives().after(LeaveTable(), by="ann", at=NOON + 100)
    left.when(act("6-5", 1), by="ann", at=NOON + 150).refused("not-seated")
    left.when(ReturnToSeat(), by="ann", at=NOON + 200).then(PlayerReturned(1))
    back = left.after(ReturnToSeat(), by="ann", at=NOON + 200)
    assert events_of(back.when(act("6-5", 1), by="ann", at=NOON + 300))[0] == ClockStopped(1, 1, MINUTES_10 - 300)


def test_a_seat_that_was_left_loses_by_its_clock_in_its_next_turn() -> None:
    left = fives().after(LeaveTable(), by="bob", at=NOON).after(act("6-5", 1), by="ann", at=NOON)
    assert due_at(left) == NOON + MINUTES_10
    ended = events_of(left.when_due())[2]
    assert isinstance(ended, MatchEnded)
    assert (ended.reason, ended.winner) == ("clock", (1,))


@pytest.mark.parametrize("minutes", [3, 5, 10, 15, 20])
def test_the_clock_is_the_one_that_was_chosen(minutes: int) -> None:
    ruleset = Ruleset.of("all-fives", 2, clock_ms=minutes * 60_000)
    assert due_at(given(*dealt(HANDS, forced=False, ruleset=ruleset))) == NOON + minutes * 60_000


# ---- outages


@pytest.mark.parametrize(("at", "left_ms"), [(NOON + 20_000, MINUTES_10 - 5_000), (NOON + 14_000, MINUTES_10)])
def test_no_clock_is_charged_for_an_outage_and_the_five_seconds_after_it(at: int, left_ms: int) -> None:
    """Ten seconds without an owner from five seconds past noon on."""
    played = fives()
    outages = Outages(NOON + 15_000, (Outage(NOON + 5_000, NOON + 15_000),))
    envelope = CommandEnvelope(id="c", principal="ann", aggregate="t", command=act("6-5", 1).model_dump())
    context = context_of(envelope, at, at, bytes(32))
    decision = judge(TableDecider(), played.state, envelope.command, context, outages)
    assert decision.events[0] == ClockStopped(1, 1, left_ms)
