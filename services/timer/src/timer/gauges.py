"""What a timer shows of its alarms, every few seconds."""

from bus import telemetry
from timer.alarms import Alarms


def show(alarms: Alarms, now: int) -> None:
    """`now` in ms of broker time."""
    for (decider, kind), count in alarms.armed().items():
        telemetry.timer_armed.set(count, {"decider": decider, "kind": kind})
    for decider, count in alarms.overdue(now).items():
        telemetry.timer_overdue.set(count, {"decider": decider})
    for decider, count in alarms.unanswered().items():
        telemetry.timeouts_unanswered.set(count, {"decider": decider})
