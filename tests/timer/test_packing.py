from hypothesis import given
from hypothesis import strategies as st

from bus.decider import Deadline
from timer.packing import (
    TIME_MAX,
    attempt_of,
    deadline_of,
    first_ringing,
    is_standing,
    kind_of,
    repeats,
    ring_at_of,
    ringing,
    standing,
    stands_of,
    times_of,
)

times = st.integers(-TIME_MAX - 1, TIME_MAX)
texts = st.text(max_size=60)
deadlines = st.builds(Deadline, texts, texts, times, times)
DUE = Deadline("turn", "turn-1", 1000, 21_000)


@given(deadlines)
def test_a_deadline_comes_out_as_it_went_in_and_rings_when_it_is_due(deadline: Deadline) -> None:
    packed = first_ringing(standing(deadline))
    assert deadline_of(packed) == deadline
    assert (ring_at_of(packed), attempt_of(packed)) == ((deadline.due_at,), 1)
    assert (kind_of(packed).decode(), times_of(packed)) == (deadline.kind, (deadline.set_at, deadline.due_at))


@given(deadlines, times, st.integers(1, 1 << 20))
def test_what_rings_again_is_still_the_same_deadline(deadline: Deadline, ring_at: int, attempt: int) -> None:
    stands = standing(deadline)
    packed = ringing(ring_at, attempt, stands)
    assert (ring_at_of(packed), attempt_of(packed)) == ((ring_at,), attempt)
    assert stands_of(packed) == stands
    assert repeats(packed, stands)


@given(deadlines, deadlines)
def test_two_deadlines_stand_alike_only_if_they_are_one(one: Deadline, other: Deadline) -> None:
    assert (standing(one) == standing(other)) == (one == other)
    assert repeats(first_ringing(standing(one)), standing(other)) == (one == other)


def test_a_deadline_whose_name_ends_as_another_stands_is_not_that_one() -> None:
    stands = standing(Deadline("turn", "turn-1", 0, 100))
    assert not repeats(first_ringing(standing(Deadline("turn", stands.decode(), 0, 100))), stands)


def test_where_a_kind_ends_makes_a_difference() -> None:
    assert standing(Deadline("tur", "n1", 0, 0)) != standing(Deadline("turn", "1", 0, 0))


def test_a_time_that_does_not_fit_is_the_latest_that_does() -> None:
    assert ring_at_of(ringing(TIME_MAX + 5000, 2, standing(DUE))) == (TIME_MAX,)


def test_bytes_that_end_within_their_kind_stand_for_nothing() -> None:
    stands = standing(DUE)
    without_ref = len(stands) - len(DUE.ref)
    assert [end for end in range(len(stands) + 1) if is_standing(stands[:end])] == [
        *range(without_ref, len(stands) + 1)
    ]
