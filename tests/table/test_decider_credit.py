"""Credit for the way: measured delay is added to a turn, 500 ms a turn and 5 s a match at most."""

import pytest
from tests.table.tables import NOON, Table, act, dealt, decider, events_of, given, kinds, play

from bus.decider import Deadline
from contracts.envelope import TimeOut
from contracts.table import LeaveTable, ReturnToSeat, SitDown
from domino_rules.ruleset import Ruleset
from domino_rules.table import Playing
from domino_rules.table.events import (
    AutopilotStarted,
    AutopilotStopped,
    ClockStopped,
    DelayMeasured,
    PlayerLeft,
    PlayerReturned,
    TurnStarted,
)

MINUTES_10 = 600_000
FIVES = Ruleset.of("all-fives", 2)
FIVES_HANDS = ("6-5 2-1 3-2", "6-6 4-4 3-1")


def measured(delay_ms: int, hands: tuple[str, ...] = ("6-6 6-1 3-2", "6-5 4-4 3-1")) -> Table:
    """Ann has played at noon; bob, with that delay, is to move in turn 2."""
    start = given(*dealt(hands)).after(SitDown(), by="bob", at=NOON, delay_ms=delay_ms)
    return start.after(play("6-6", 1), by="ann", at=NOON)


def turn_of(played: Table) -> TurnStarted:
    assert isinstance(played.state, Playing)
    turn = played.state.turn
    assert turn is not None
    return TurnStarted(turn.number, turn.seat, turn.kind, turn.set_at, turn.due_at, turn.credit_ms)


# ---- what is noted


@pytest.mark.parametrize(
    ("delay_ms", "noted"),
    [(26, 26), (83, 83), (500, 500), (501, 500), (60_000, 500), (25, None), (0, None), (None, None)],
)
def test_a_delay_is_noted_when_it_is_another_than_before(delay_ms: int | None, noted: int | None) -> None:
    events = [] if noted is None else [DelayMeasured(2, noted)]
    given(*dealt()).when(SitDown(), by="bob", at=NOON, delay_ms=delay_ms).then(*events)


def test_what_differs_by_no_more_than_a_tick_is_the_same_delay() -> None:
    known = given(*dealt(), DelayMeasured(2, 83))
    for delay_ms in (58, 83, 108, None):
        known.when(SitDown(), by="bob", at=NOON, delay_ms=delay_ms).nothing()
    for delay_ms in (57, 109, 0):
        known.when(SitDown(), by="bob", at=NOON, delay_ms=delay_ms).then(DelayMeasured(2, delay_ms))


def test_what_is_refused_and_who_has_no_seat_tell_no_delay() -> None:
    given(*dealt()).when(play("6-1", 1), by="ann", at=NOON, delay_ms=83).refused("must-open-with")
    given(*dealt()).when(SitDown(), by="eve", at=NOON, delay_ms=83).refused("not-seated")


def test_the_timers_own_command_tells_nobodys_delay() -> None:
    then = given(*dealt()).when(SitDown(), by="ann", at=NOON + 20_001, delay_ms=83)
    assert kinds(then)[:2] == ["turn-timed-out", "autopilot-started"]
    assert [event for event in events_of(then) if event.tag == "delay-measured"] == [DelayMeasured(1, 83)]


# ---- what it is worth


@pytest.mark.parametrize(("delay_ms", "credit_ms"), [(0, 0), (83, 83), (240, 240), (500, 500), (3_000, 500)])
def test_a_turn_is_longer_by_its_seats_delay(delay_ms: int, credit_ms: int) -> None:
    played = measured(delay_ms)
    assert turn_of(played) == TurnStarted(2, 2, "turn", NOON, NOON + 20_000 + credit_ms, credit_ms)
    assert played.state is not None
    assert decider.deadline(played.state) == Deadline("turn", "turn-2", NOON, NOON + 20_000 + credit_ms)
    assert kinds(played.when(play("6-5@left", 2), by="bob", at=NOON + 20_000 + credit_ms))[0] == "tile-played"
    late = played.when(play("6-5@left", 2), by="bob", at=NOON + 20_001 + credit_ms)
    assert late.decision.code == "too-late"


def test_the_delay_of_the_other_seat_is_worth_nothing_here() -> None:
    start = given(*dealt()).after(play("6-6", 1), by="ann", at=NOON, delay_ms=240)
    assert turn_of(start).credit_ms == 0
    assert turn_of(start.after(play("6-5@left", 2), by="bob", at=NOON)).credit_ms == 240


def test_a_match_credits_five_seconds_and_not_one_millisecond_more() -> None:
    """A seat with 480 ms: ten turns give 4,800 ms, the eleventh the last 200, the twelfth nothing."""
    far = given(*dealt(ruleset=Ruleset.of("party", 2, target=1_000)), DelayMeasured(2, 480))
    credits: list[int] = []
    while len(credits) < 12:
        then = far.when_due()
        credits += [event.credit_ms for event in events_of(then) if isinstance(event, TurnStarted) and event.seat == 2]
        far.state = then.decision.state
    assert credits == [480] * 10 + [200, 0]
    assert far.state is not None
    assert far.state.table.player(2).credited_ms == 5_000


def test_the_autopilot_needs_no_credit() -> None:
    away = given(*dealt(), DelayMeasured(2, 240)).after(LeaveTable(), by="bob", at=NOON)
    assert turn_of(away.after(play("6-6", 1), by="ann", at=NOON)) == TurnStarted(2, 2, "autopilot", NOON, NOON + 2_000)


def test_a_fresh_timer_gets_what_is_left_of_the_turns_credit() -> None:
    """300 ms in the turn's first timer leave 200 for the fresh one, and nothing for the fresh one resumed."""
    played = measured(300)
    assert turn_of(played).credit_ms == 300
    gone = played.after(LeaveTable(), by="bob", at=NOON + 1_000)
    gone.when(ReturnToSeat(), by="bob", at=NOON + 2_000).then(
        PlayerReturned(2), AutopilotStopped(2), TurnStarted(2, 2, "turn", NOON + 2_000, NOON + 22_200, 200)
    )
    back = gone.after(ReturnToSeat(), by="bob", at=NOON + 2_000)
    back.when(LeaveTable(), by="bob", at=NOON + 3_000).then(
        PlayerLeft(2), AutopilotStarted(2, "left"), TurnStarted(2, 2, "autopilot", NOON + 3_000, NOON + 5_000)
    )
    again = back.after(LeaveTable(), by="bob", at=NOON + 3_000)
    again.when(ReturnToSeat(), by="bob", at=NOON + 4_000).then(
        PlayerReturned(2), AutopilotStopped(2), TurnStarted(2, 2, "turn", NOON + 2_000, NOON + 22_200)
    )
    assert again.state is not None
    assert again.state.table.player(2).credited_ms == 500


def test_a_delay_that_comes_with_the_return_counts_for_its_timer() -> None:
    gone = given(*dealt()).after(LeaveTable(), by="ann", at=NOON)
    gone.when(ReturnToSeat(), by="ann", at=NOON + 500, delay_ms=83).then(
        DelayMeasured(1, 83),
        PlayerReturned(1),
        AutopilotStopped(1),
        TurnStarted(1, 1, "turn", NOON + 500, NOON + 20_583, 83),
    )


# ---- match clocks


def fives(delay_ms: int) -> Table:
    """Ann, who has that delay, opens at noon with ten minutes on her clock."""
    start = dealt(FIVES_HANDS, "5-3 2-2 6-0", forced=False, ruleset=FIVES)[:-1]
    ann = TurnStarted(1, 1, "clock", NOON, NOON + MINUTES_10 + delay_ms, delay_ms)
    return given(*start, DelayMeasured(1, delay_ms), ann)


@pytest.mark.parametrize(
    ("at_ms", "left_ms"),
    [
        (0, MINUTES_10),
        (100, MINUTES_10),
        (240, MINUTES_10),
        (241, MINUTES_10 - 1),
        (7_240, MINUTES_10 - 7_000),
        (MINUTES_10 + 240, 0),
    ],
)
def test_a_clock_is_not_charged_for_the_credit(at_ms: int, left_ms: int) -> None:
    stopped = events_of(fives(240).when(act("6-5", 1), by="ann", at=NOON + at_ms))[0]
    assert stopped == ClockStopped(1, 1, left_ms)


def test_a_clock_falls_when_its_credit_has_passed_too() -> None:
    over = fives(240)
    over.when(TimeOut(kind="clock", ref="clock-1"), by="timer", at=NOON + MINUTES_10 + 240).refused("too-early")
    assert kinds(over.when_due()) == ["turn-timed-out", "clock-stopped", "match-ended", "seed-revealed"]
    assert events_of(over.when_due())[1] == ClockStopped(1, 1, 0)


def test_the_next_turn_begins_with_what_the_clock_shows_and_a_credit_of_its_own() -> None:
    played = fives(240).after(act("6-5", 1), by="ann", at=NOON + 7_240)
    played = played.after(act("6-6@left", 2), by="bob", at=NOON + 10_000)
    due_at = NOON + 10_000 + MINUTES_10 - 7_000 + 240
    assert turn_of(played) == TurnStarted(3, 1, "clock", NOON + 10_000, due_at, 240)
    assert played.state is not None
    assert played.state.table.clocks == (MINUTES_10 - 7_000, MINUTES_10 - 2_760)


# ---- what is kept


def test_the_state_keeps_its_credit_and_one_without_is_written_as_ever() -> None:
    for played in (measured(240), measured(0)):
        assert played.state is not None
        body = decider.state_to_json(played.state)
        assert decider.state_from_json(body) == played.state
    assert not {"credit_ms"} & body["turn"].keys()
    assert not {"delay_ms", "credited_ms"} & body["table"]["players"][1].keys()
    assert "credit_ms" not in turn_of(measured(0)).to_json()
