"""Notices that this process stood still: the fastest sign that it may have lost its partitions."""

from bus.clock import Clock


class Stalled(Exception):
    """The process stood still for longer than half a session."""


class Pulse:
    """`beat` is called ten times a second; whoever is about to act asks `check` first.

    A process that was paused continues with whatever task comes first. Either that task finds the last beat too old,
    or the beat came first and counted the pause.
    """

    def __init__(self, clock: Clock, seconds_max: float) -> None:
        self._clock = clock
        self._seconds_max = seconds_max
        self._last = clock.monotonic()
        self.stalls = 0

    def beat(self) -> None:
        now = self._clock.monotonic()
        if now - self._last > self._seconds_max:
            self.stalls += 1
        self._last = now

    def check(self, stalls: int) -> None:
        """Raises `Stalled` if the process stood still since `stalls` was read."""
        if self.stalls != stalls or self._clock.monotonic() - self._last > self._seconds_max:
            raise Stalled
