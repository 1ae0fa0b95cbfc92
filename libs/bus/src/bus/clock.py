"""Time, in two kinds: the log's (milliseconds of the broker, `Record.log_time`) and the process's own monotonic
seconds."""

import time
from typing import Protocol


class Clock(Protocol):
    def monotonic(self) -> float:
        """Seconds that never go backwards."""
        ...

    def wall(self) -> int:
        """This machine's idea of log time now, in ms; only `BrokerTime` corrects it."""
        ...


class SystemClock:
    def monotonic(self) -> float:
        return time.monotonic()

    def wall(self) -> int:
        return time.time_ns() // 1_000_000


class BrokerTime:
    """The broker's clock as far as this process can know it, learnt from the times of fresh records.

    A record read `d` ms after it was appended makes the broker look `d` ms slow, never fast: the largest difference
    seen is nearest to the truth. It is forgotten slowly (1 ms a second), so that a stepped clock is followed.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lead: float | None = None
        self._seen_at = 0.0

    def learn(self, log_time: int) -> None:
        """`log_time` of a record that has just been read, in ms."""
        now = self._clock.monotonic()
        difference = log_time - now * 1000
        if self._lead is None:
            self._lead = difference
        else:
            self._lead = max(difference, self._lead - (now - self._seen_at))
        self._seen_at = now

    def now(self) -> int:
        """Broker time in ms; this machine's wall clock until a record was seen."""
        if self._lead is None:
            return self._clock.wall()
        return int(self._lead + self._clock.monotonic() * 1000)
