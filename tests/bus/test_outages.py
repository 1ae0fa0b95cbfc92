"""Silence of a partition's owner is given back to whoever waited for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bus.outages import GRACE_MS, JUMP_MS, KEPT_MS, OUTAGE_MS, Outage, Outages


def heard(*times: int) -> Outages:
    outages = Outages()
    for at in times:
        outages.hear(at)
    return outages


def test_three_seconds_of_silence_are_none_and_one_ms_more_is_an_outage() -> None:
    assert heard(0, 3000).known == ()
    assert heard(0, 3001).known == (Outage(0, 3001),)


def test_nothing_was_silent_before_the_first_record() -> None:
    assert heard(1_000_000).known == ()


def test_a_clock_that_steps_back_makes_no_outage_and_is_waited_for() -> None:
    assert heard(10_000, 2000, 10_500).known == ()


def test_hours_that_a_test_lets_pass_are_no_silence() -> None:
    outages = heard(1000)
    outages.hear(2000 + 3_600_000, 3_600_000)
    assert outages.known == ()


def test_an_outage_stands_in_log_time_and_is_as_long_as_the_broker_says() -> None:
    hour = 3_600_000
    outages = Outages()
    outages.hear(1000 + hour, hour)
    outages.hear(6000 + 2 * hour, 2 * hour)  # five seconds later, and another hour has been let pass
    assert outages.known == (Outage(1000 + hour, 6000 + hour),)
    assert outages.given_back(500 + hour, 1500 + hour) == 5000 + GRACE_MS
    assert outages.given_back(500, 1500) == 0, "it fell due an hour before the silence"
    outages.hear(7000 + 2 * hour, 2 * hour)
    assert len(outages.known) == 1


def test_a_jump_of_the_clock_is_an_outage_of_that_length() -> None:
    outages = heard(1000, 2000, 5000)
    outages.jump(2500, 4500)
    assert outages.known == (Outage(2500, 4500),)
    assert outages.given_back(1000, 3000) == 2000 + GRACE_MS


def test_half_a_second_is_no_jump_and_one_ms_more_is() -> None:
    outages = heard(1000)
    outages.jump(1000, 1000 + JUMP_MS)
    assert not outages.known
    outages.jump(1000, 1001 + JUMP_MS)
    assert outages.known == (Outage(1000, 1001 + JUMP_MS),)


def test_what_silence_has_given_back_of_a_jump_is_not_given_twice() -> None:
    outages = heard(1000, 6000)
    outages.jump(1800, 6000)
    assert list(outages.known) == [Outage(1000, 6000)]
    outages.jump(5000, 8000)
    assert list(outages.known) == [Outage(1000, 6000), Outage(6000, 8000)]


@pytest.mark.parametrize(
    ("set_at", "due_at", "given_back"),
    [
        (1000, 9000, 4000 + GRACE_MS),
        (2000, 2001, 4000 + GRACE_MS),  # set in the very ms of the last record
        (2001, 9000, 0),  # set after the silence began: by a record that came with its end
        (1000, 2000, 0),  # due before it began
    ],
)
def test_a_deadline_is_put_off_by_an_outage_that_began_while_it_stood(
    set_at: int, due_at: int, given_back: int
) -> None:
    assert heard(2000, 6000).given_back(set_at, due_at) == given_back


def test_an_outage_that_begins_in_the_time_given_back_counts_too() -> None:
    outages = heard(1000, 5000, 6000, 7000, 8000, 12_000)
    assert outages.known == (Outage(1000, 5000), Outage(8000, 12_000))
    assert outages.given_back(0, 2000) == 2 * (4000 + GRACE_MS)


def test_outages_are_forgotten_after_a_day() -> None:
    outages = heard(0, 4000)
    for at in range(4000, KEPT_MS + 4001, OUTAGE_MS):
        outages.hear(at)
    outages.hear(KEPT_MS + 10_000)
    assert [outage.begin for outage in outages.known] == [KEPT_MS + 4000 - (KEPT_MS % OUTAGE_MS)]


def test_while_the_owner_is_silent_its_deadlines_are_known_to_move() -> None:
    outages = heard(1000)
    assert not outages.under_way(0, 2000, 4000)
    assert outages.under_way(0, 2000, 4001)
    assert not outages.under_way(0, 1000, 4001), "it fell due before"


@given(st.lists(st.integers(0, 20_000), max_size=12), st.integers(0, 100_000), st.integers(0, 30_000))
def test_a_deadline_never_comes_earlier_and_every_later_reader_agrees(
    steps: list[int], set_at: int, length: int
) -> None:
    outages, at, due = Outages(), 0, set_at + length
    for step in steps:
        at += step
        before = outages.effective_due(set_at, due)
        outages.hear(at)
        after = outages.effective_due(set_at, due)
        assert after >= before >= due
        assert after == before or (outages.known[-1].begin < before and at > set_at)


def test_a_silence_between_records_of_one_owner_counts_when_it_has_told_of_it() -> None:
    outages = Outages()
    outages.claimed(1000)
    outages.jump(0, 0)
    outages.hear(9000)
    assert outages.given_back(500, 2000) == 0
    assert outages.under_way(500, 2000, 9001)  # the timer waits for what will be told
    outages.jump(1000, 9000)
    assert outages.known == (Outage(1000, 9000),)
    assert not outages.untold


def test_a_silence_of_which_nobody_told_counts_at_the_next_claim() -> None:
    outages = Outages()
    outages.claimed(1000)
    outages.jump(0, 0)
    outages.hear(9000)
    outages.claimed(9500)
    assert outages.known == (Outage(1000, 9000),)
    assert not outages.tells


def test_a_silence_of_an_owner_of_before_counts_at_once() -> None:
    outages = Outages()
    outages.claimed(1000)
    outages.hear(9000)
    assert outages.known == (Outage(1000, 9000),)


def test_a_jump_that_is_told_tells_of_silences_before_it() -> None:
    outages = Outages()
    outages.claimed(1000)
    outages.jump(0, 0)
    outages.hear(9000)
    outages.jump(7000, 9000)
    assert outages.known == (Outage(1000, 9000),)
