import pytest
from hypothesis import given
from hypothesis import strategies as st

from domino_rules.table.credit import CREDIT_MS_MATCH_MAX, CREDIT_MS_MAX, DELAY_MS_CHANGE, credit_ms, noted_delay

delays = st.integers(0, 60_000)


@pytest.mark.parametrize(
    ("delay_ms", "turn_ms", "match_ms", "credit"),
    [
        (0, 0, 0, 0),
        (83, 0, 0, 83),
        (3_000, 0, 0, 500),
        (300, 300, 300, 200),
        (300, 500, 500, 0),
        (300, 0, 4_900, 100),
        (300, 0, 5_000, 0),
    ],
)
def test_a_credit_is_the_delay_within_what_is_left_of_the_turn_and_of_the_match(
    delay_ms: int, turn_ms: int, match_ms: int, credit: int
) -> None:
    assert credit_ms(delay_ms, turn_ms, match_ms) == credit


@given(st.lists(st.lists(delays, min_size=1, max_size=4), max_size=30))
def test_however_often_timers_are_set_nobody_gains_more(turns: list[list[int]]) -> None:
    match_ms = 0
    for turn in turns:
        turn_ms = 0
        for delay_ms in turn:
            credit = credit_ms(delay_ms, turn_ms, match_ms)
            assert 0 <= credit <= delay_ms
            turn_ms, match_ms = turn_ms + credit, match_ms + credit
        assert turn_ms <= CREDIT_MS_MAX
    assert match_ms <= CREDIT_MS_MATCH_MAX


@given(st.lists(delays, min_size=1))
def test_what_is_noted_is_never_further_from_what_was_measured_than_a_change(measured: list[int]) -> None:
    """Also where a delay creeps up a millisecond at a time."""
    noted_ms = 0
    for delay_ms in measured:
        another = noted_delay(noted_ms, delay_ms)
        assert another is None or abs(another - noted_ms) > DELAY_MS_CHANGE
        noted_ms = noted_ms if another is None else another
        assert abs(noted_ms - min(delay_ms, CREDIT_MS_MAX)) <= DELAY_MS_CHANGE
