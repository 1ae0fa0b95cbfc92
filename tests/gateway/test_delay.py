from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.envelope import DELAY_MS_MAX
from gateway.delay import TRIPS_KEPT, Delay, unmeasured


@dataclass
class Line:
    """A connection whose pings take as long as they are told to, in ms."""

    now: float = 0.0
    delay: Delay = field(init=False)

    def __post_init__(self) -> None:
        self.delay = Delay(lambda: self.now)

    def pings(self, *round_trips: int) -> int | None:
        """The delay after these round trips."""
        for round_trip in round_trips:
            self.waits(round_trip)
            self.delay.answered()
        return self.delay.ms()

    def waits(self, ms: int) -> int | None:
        """A ping goes out, and some time later no answer is there; the delay then."""
        self.delay.sent()
        self.now += ms / 1000
        return self.delay.ms()


@pytest.mark.parametrize(
    ("round_trips", "delay"),
    [
        ([], None),
        ([40], 40),
        ([40, 60], 50),
        ([40, 900, 60], 60),
        ([40, 900, 60, 80], 70),
        ([40, 900, 60, 80, 50], 60),
        ([40, 900, 60, 80, 50, 90], 80),  # of the last five: 900 60 80 50 90
        ([40, 900, 60, 80, 50, 90, 70], 70),
        ([0], 0),
    ],
)
def test_the_delay_is_the_median_of_the_last_five_round_trips(round_trips: list[int], delay: int | None) -> None:
    assert Line().pings(*round_trips) == delay


def test_who_has_never_answered_has_no_delay_however_long_that_takes() -> None:
    assert Line().waits(19_000) is None
    assert unmeasured() is None


def test_a_ping_on_its_way_does_not_make_a_line_look_quicker() -> None:
    line = Line()
    line.pings(200, 210, 220)
    assert line.waits(5) == 210


def test_a_ping_unanswered_for_long_counts_as_what_it_is_and_alone_does_not_outweigh_the_others() -> None:
    line = Line()
    line.pings(10, 20, 30, 40, 50)
    assert line.waits(8_000) == 40  # of 20 30 40 50 8000
    other = Line()
    other.pings(100)
    assert other.waits(900) == 500


def test_a_line_that_has_become_slow_is_slow_after_three_pings() -> None:
    line = Line()
    line.pings(10, 10, 10, 10, 10)
    assert (line.pings(400), line.pings(400), line.pings(400)) == (10, 10, 400)


def test_a_delay_is_never_more_than_a_command_may_carry() -> None:
    assert Line().pings(3 * DELAY_MS_MAX) == DELAY_MS_MAX


@given(st.lists(st.integers(0, 20_000), min_size=1, max_size=12), st.integers(0, 20_000))
def test_silence_never_lowers_a_delay_and_never_raises_it_above_the_slowest_of_the_last_pings(
    round_trips: list[int], waited: int
) -> None:
    line = Line()
    before = line.pings(*round_trips)
    assert before is not None
    after = line.waits(waited)
    assert after is not None
    assert before <= after <= max(*round_trips[-TRIPS_KEPT:], waited)
