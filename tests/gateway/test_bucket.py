from tests.memory_log import HandClock

from gateway.bucket import Buckets, TokenBucket


def test_a_burst_is_all_right_and_what_goes_beyond_is_not() -> None:
    bucket = TokenBucket(HandClock(), per_second=20, burst=40)
    assert [bucket.take() for _ in range(41)] == [True] * 40 + [False]


def test_time_brings_new_tokens_up_to_the_burst() -> None:
    clock = HandClock()
    bucket = TokenBucket(clock, per_second=20, burst=40)
    while bucket.take():
        pass
    clock.now += 110
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    clock.now += 3_600_000
    assert sum(bucket.take() for _ in range(100)) == 40


def test_accounts_do_not_pay_for_each_other() -> None:
    buckets = Buckets(HandClock(), per_second=1, burst=1)
    assert [buckets.take(account) for account in ("a", "a", "b")] == [True, False, True]


def test_the_account_that_asked_least_recently_is_forgotten_first() -> None:
    buckets = Buckets(HandClock(), per_second=1, burst=1, accounts_max=2)
    assert [buckets.take(account) for account in ("a", "b", "a", "c", "a", "b")] == [
        True,
        True,
        False,
        True,
        False,
        True,
    ]
