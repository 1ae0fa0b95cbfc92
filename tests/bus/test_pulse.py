import pytest
from tests.bus.test_clock import Hands

from bus.pulse import Pulse, Stalled


def test_a_steady_pulse_lets_everybody_act() -> None:
    clock = Hands()
    pulse = Pulse(clock, 1.0)
    for _ in range(30):
        clock.seconds += 0.9
        pulse.beat()
        pulse.check(0)


def test_whoever_comes_first_after_a_pause_finds_it() -> None:
    clock = Hands()
    pulse = Pulse(clock, 1.0)
    clock.seconds += 1.1
    with pytest.raises(Stalled):
        pulse.check(0)


def test_a_pause_is_found_after_the_beat_came_first_too() -> None:
    clock = Hands()
    pulse = Pulse(clock, 1.0)
    clock.seconds += 1.1
    pulse.beat()
    with pytest.raises(Stalled):
        pulse.check(0)
    pulse.check(pulse.stalls)
