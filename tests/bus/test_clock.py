from bus.clock import WINDOW_SECONDS, BrokerTime


class Hands:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def monotonic(self) -> float:
        return self.seconds

    def wall(self) -> int:
        return 777


def test_before_any_record_the_machines_clock_stands_in() -> None:
    assert BrokerTime(Hands()).now() == 777


def test_a_record_read_late_never_makes_the_broker_look_slow() -> None:
    clock = Hands()
    time = BrokerTime(clock)
    time.learn(50_000)
    clock.seconds += 2
    time.learn(51_000)
    assert time.now() == 52_000


def test_a_fresher_record_corrects_the_estimate_upwards_at_once() -> None:
    clock = Hands()
    time = BrokerTime(clock)
    time.learn(10)
    time.learn(90_000)
    assert time.now() == 90_000


def test_a_broker_that_was_set_back_is_followed_within_a_minute() -> None:
    clock = Hands()
    time = BrokerTime(clock)
    time.learn(3_650_000)
    for second in range(1, 2 * int(WINDOW_SECONDS) + 3):
        clock.seconds += 1
        time.learn(50_000 + second * 1000)
    assert time.now() == 50_000 + second * 1000


def test_what_was_known_of_the_broker_is_kept_while_nothing_is_read() -> None:
    clock = Hands()
    time = BrokerTime(clock)
    time.learn(50_000)
    clock.seconds += 600
    assert time.now() == 650_000
