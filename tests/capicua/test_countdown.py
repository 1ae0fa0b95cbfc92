from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.capicua.matches import match

from capicua.countdown import Countdown, PutOff
from capicua.server_clock import ServerClock
from capicua.view import DeadlineView, TableView

SET_AT = 100_000
TURN_MS = 20_000


@dataclass
class Watch:
    """A countdown with a clock that a test moves: `now` is what the client takes for the server's time."""

    now: int = SET_AT

    def __post_init__(self) -> None:
        self.countdown = Countdown(ServerClock(lambda: self.now, lambda: self.now))

    @property
    def left(self) -> int | None:
        return self.countdown.left_ms


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def base() -> TableView:
    return next(outcome.view(1) for outcome in match("draw", 2, 50) if outcome.view(1).my_turn)


def due(
    base: TableView, due_at: int = SET_AT + TURN_MS, *, turn: int = 7, set_at: int = SET_AT, given_back_ms: int = 0
) -> TableView:
    deadline = DeadlineView(kind="turn", set_at=set_at, due_at=due_at, given_back_ms=given_back_ms)
    return base.model_copy(update={"deadline": deadline, "turn": turn})


def kind(view: TableView, kind: str) -> TableView:
    assert view.deadline is not None
    return view.model_copy(update={"deadline": view.deadline.model_copy(update={"kind": kind})})


def test_nothing_is_left_to_tell_without_a_deadline(watch: Watch, base: TableView) -> None:
    assert watch.left is None
    watch.countdown.follow(due(base))
    assert watch.countdown.follow(base.model_copy(update={"deadline": None})) == PutOff()
    assert watch.left is None


def test_a_clock_that_is_set_back_lets_it_stand_until_the_truth_has_caught_up(watch: Watch, base: TableView) -> None:
    watch.countdown.follow(due(base))
    shown = []
    for watch.now in (SET_AT + 5_000, SET_AT + 3_000, SET_AT + 4_900, SET_AT + 5_100, SET_AT + 30_000):
        shown.append(watch.left)
    assert shown == [15_000, 15_000, 15_000, 14_900, 0]
    assert watch.countdown.overdue_ms == 10_000


def test_a_later_version_of_the_same_deadline_goes_on(watch: Watch, base: TableView) -> None:
    watch.countdown.follow(due(base))
    watch.now = SET_AT + 5_000
    assert watch.left == 15_000
    watch.now = SET_AT + 4_000
    assert watch.countdown.follow(due(base)) == PutOff()
    assert watch.left == 15_000


def test_a_deadline_that_was_put_off_starts_anew_and_tells_what_was_not_told_yet(watch: Watch, base: TableView) -> None:
    watch.countdown.follow(due(base))
    watch.now = SET_AT + 15_000
    assert watch.left == 5_000
    later = due(base, SET_AT + TURN_MS + 9_000, given_back_ms=9_000)
    assert watch.countdown.follow(later) == PutOff(given_back_ms=9_000)
    assert watch.left == 14_000
    assert watch.countdown.follow(later) == PutOff()
    again = due(base, SET_AT + TURN_MS + 16_000, given_back_ms=16_000)
    assert watch.countdown.follow(again) == PutOff(given_back_ms=7_000)
    watch.countdown.follow(due(base))  # of a server that knows less of outages
    assert watch.countdown.follow(again) == PutOff()


def test_who_comes_after_the_outage_is_told_too(watch: Watch, base: TableView) -> None:
    found = due(base, SET_AT + TURN_MS + 9_000, given_back_ms=9_000)
    assert watch.countdown.follow(found) == PutOff(given_back_ms=9_000)


def test_the_next_turn_is_no_timer_put_off(watch: Watch, base: TableView) -> None:
    watch.countdown.follow(due(base))
    watch.now = SET_AT + 19_000
    assert watch.left == 1_000
    following = due(base, SET_AT + 39_000, turn=8, set_at=SET_AT + 19_000)
    assert watch.countdown.follow(following) == PutOff()
    assert watch.left == TURN_MS


def test_a_fresh_timer_in_the_same_turn_is_told_once(watch: Watch, base: TableView) -> None:
    away = kind(due(base, SET_AT + 2_000), "autopilot")
    back_at = SET_AT + 1_000
    fresh = due(base, back_at + TURN_MS, set_at=back_at)
    left_again = kind(due(base, back_at + 4_000, set_at=back_at + 2_000), "autopilot")
    said = [watch.countdown.follow(view).fresh for view in (away, fresh, fresh, left_again, fresh)]
    assert said == [False, True, False, False, False]


def test_the_deadline_that_comes_again_goes_on_where_it_was(watch: Watch, base: TableView) -> None:
    watch.countdown.follow(due(base))
    watch.now = SET_AT + 6_000
    assert watch.left == 14_000
    watch.countdown.follow(kind(due(base, SET_AT + 8_000, set_at=SET_AT + 6_000), "autopilot"))
    watch.now = SET_AT + 5_000
    watch.countdown.follow(due(base))
    assert watch.left == 14_000


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pass"), st.integers(0, 8_000)),
        st.tuples(st.just("set"), st.integers(-5_000, 5_000)),
        st.tuples(st.just("put-off"), st.integers(1, 40_000)),
        st.tuples(st.just("again"), st.just(0)),
        st.tuples(st.just("next"), st.integers(1, 40_000)),
    ),
    max_size=60,
)


@given(STEPS)
def test_whatever_the_clock_does_one_deadline_never_gains_time_and_others_start_at_their_own(
    base: TableView, steps: list[tuple[str, int]]
) -> None:
    watch = Watch()
    shown: dict[tuple[int, int], int] = {}
    turn, given_back, set_at, due_at = 7, 0, SET_AT, SET_AT + TURN_MS
    for step, ms in [("again", 0), *steps]:
        match step:
            case "pass" | "set":
                watch.now += ms
            case "put-off":
                given_back, due_at = given_back + ms, due_at + ms
            case "next":
                turn, given_back, set_at, due_at = turn + 1, 0, watch.now, watch.now + ms
        before = watch.left
        told = watch.countdown.follow(due(base, due_at, turn=turn, set_at=set_at, given_back_ms=given_back))
        left = watch.left
        assert left is not None
        assert told.given_back_ms == (ms if step == "put-off" else 0)
        truth = max(0, due_at - watch.now)
        assert left == min(truth, shown.get((turn, due_at), truth))
        assert step in ("put-off", "next") or before is None or left <= before
        shown[turn, due_at] = left
