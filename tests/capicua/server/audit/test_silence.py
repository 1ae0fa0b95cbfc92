"""Both implementations of outages, on the same random clocks."""

from hypothesis import given
from hypothesis import strategies as st

from bus.decider import Deadline
from bus.outages import Outages
from capicua.server.audit.silence import GIVEN_MS, Silence

steps = st.tuples(
    st.integers(-2000, 8000),  # ms of the broker since the record before
    st.sampled_from([0, 0, 0, 0, 3_600_000]),  # let pass by a test
    st.one_of(st.none(), st.tuples(st.integers(0, 8000), st.integers(0, 5000))),  # a jump: how long ago, and how far
)
Step = tuple[int, int, tuple[int, int] | None]


@given(st.lists(steps, max_size=30), st.integers(0, 50_000), st.integers(0, 30_000))
def test_both_know_the_same_outages(history: list[Step], set_at: int, length: int) -> None:
    first, second, stamp, passed = Outages(), Silence(), 100_000, 0
    for since, let_pass, jump in history:
        stamp, passed = stamp + since, passed + let_pass
        first.hear(stamp + passed, passed)
        second.heard(stamp, passed)
        if jump is not None:
            begin = stamp + passed - jump[0]
            first.jump(begin, begin + jump[1])
            second.left_out(begin, begin + jump[1])
        newest = second.outages[-len(first.known) or len(second.outages) :]
        assert list(map(tuple, first.known)) == list(map(tuple, newest))
        if len(first.known) == len(second.outages):
            deadline = Deadline("turn", "", 100_000 + set_at, 100_000 + set_at + length)
            assert second.latest(deadline) == first.effective_due(deadline.set_at, deadline.due_at)


def test_time_that_a_clock_left_out_is_given_back_like_silence() -> None:
    silence = Silence()
    silence.heard(1000)
    silence.heard(5000)
    silence.left_out(2000, 4000)
    assert [tuple(outage) for outage in silence.outages] == [(1000, 5000)]
    silence.left_out(5000, 7000)
    assert silence.latest(Deadline("turn", "", 5000, 6000)) == 6000 + 2000 + GIVEN_MS
    assert silence.count == 2
