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


WINDOW_SECONDS = 30.0


class Lead:
    """By how many ms somebody's clock is ahead of this process's monotonic one: the most that it was in the last half
    minute, or up to a whole one."""

    __slots__ = ("_before", "_now", "_since")

    def __init__(self) -> None:
        self._before: float | None = None
        self._now: float | None = None
        self._since = 0.0

    def learn(self, ahead: float, now: float) -> None:
        """It was seen to be `ahead` ms at the monotonic second `now`."""
        if self._now is None or now - self._since > WINDOW_SECONDS:
            self._before, self._now, self._since = self._recent(now), ahead, now
        elif ahead > self._now:
            self._now = ahead

    def at(self, now: float) -> float | None:
        """None when it was not seen for so long."""
        recent = self._recent(now)
        if recent is None or self._before is None:
            return recent
        return max(recent, self._before)

    def settled(self, now: float) -> bool:
        """Whether it has been seen for more than half a minute, and lately."""
        return self._before is not None and self._recent(now) is not None

    def _recent(self, now: float) -> float | None:
        return self._now if now - self._since <= 2 * WINDOW_SECONDS else None


class BrokerTime:
    """The broker's clock as far as this process can know it, learnt from the times of fresh records.

    A record read `d` ms after it was appended makes the broker look `d` ms slow, never fast: the largest difference
    that was seen lately is nearest to the truth. A clock that was set back is followed within a minute.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lately = Lead()
        self._lead: float | None = None

    def learn(self, log_time: int) -> None:
        """`log_time` of a record that has just been read, in ms."""
        now = self._clock.monotonic()
        self._lately.learn(log_time - now * 1000, now)
        self._lead = self._lately.at(now)

    @property
    def known(self) -> bool:
        """Whether a fresh record has been seen."""
        return self._lead is not None

    def now(self) -> int:
        """Broker time in ms; this machine's wall clock until a record was seen."""
        if self._lead is None:
            return self._clock.wall()
        return int(self._lead + self._clock.monotonic() * 1000)
