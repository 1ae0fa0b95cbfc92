from bus.clock import BrokerTime


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
    assert time.now() == 52_000 - 2  # what the estimate forgets in two seconds


def test_a_fresher_record_corrects_the_estimate_upwards_at_once() -> None:
    clock = Hands()
    time = BrokerTime(clock)
    time.learn(10)
    time.learn(90_000)
    assert time.now() == 90_000


def test_a_broker_that_was_set_back_is_followed_slowly() -> None:
    clock = Hands()
    time = BrokerTime(clock)
    time.learn(50_000)
    for _ in range(1000):
        clock.seconds += 1
        time.learn(int(49_000 + (clock.seconds - 100) * 1000))
    assert abs(time.now() - (49_000 + 1_000_000)) <= 1
