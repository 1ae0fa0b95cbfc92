"""A broker whose clock was ahead, and is set right."""

from tests.memory_log import NOON
from tests.timer.ringing import HOUR_MS, SOURCE

from bus.decider import Deadline
from bus.outages import Outages
from timer.alarms import Alarms

DUE = Deadline("turn", "turn-1", NOON, NOON + 20_000)


def test_a_partition_that_seemed_silent_by_a_clock_ahead_rings_in_time_when_it_is_right() -> None:
    alarms = Alarms()
    alarms.gain(SOURCE)
    alarms.set(SOURCE, "t1", DUE)
    outages = Outages(NOON + 10_000)
    alarms.ready(SOURCE, outages)
    assert alarms.take_due(NOON + HOUR_MS, 10) == [], "nobody seems to own it: what is due waits"
    for at in range(NOON + 11_000, DUE.due_at + 2000, 1000):
        outages.hear(at)
    assert [alarm.aggregate for alarm in alarms.take_due(DUE.due_at + 1, 10)] == ["t1"]
