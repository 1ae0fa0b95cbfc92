"""The server's time as this client knows it, learnt from pings."""

import time
from collections.abc import Callable
from dataclasses import dataclass

SAMPLES_KEPT = 8
SLACK_MS = 10
"""Two samples may contradict each other by this much: clocks are read in whole milliseconds, and run unevenly."""


def local_ms() -> int:
    """Milliseconds of a clock that nobody sets; where the machine has one, it goes on while the machine sleeps."""
    which = getattr(time, "CLOCK_BOOTTIME", None)
    return (time.monotonic_ns() if which is None else time.clock_gettime_ns(which)) // 1_000_000


def wall_ms() -> int:
    """Milliseconds since 1970 by the machine's clock, which may be wrong and may be set at any moment."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class _Sample:
    """One way there and back: the server's time less the local one lies between `least_ms` and `most_ms`."""

    least_ms: int
    most_ms: int

    @property
    def round_trip_ms(self) -> int:
        return self.most_ms - self.least_ms

    @property
    def offset_ms(self) -> int:
        return (self.least_ms + self.most_ms) // 2

    def agrees(self, other: "_Sample") -> bool:
        return self.least_ms <= other.most_ms + SLACK_MS and other.least_ms <= self.most_ms + SLACK_MS


class ServerClock:
    """Keeps the offset of the quickest of the last pings: the quicker, the less the way can have bent it (D. Mills,
    RFC 5905, section 10). A ping that contradicts earlier ones, because the machine slept or another server answers,
    ends their use.

    Before the first answer it says what the machine's clock said when it was made, or the newest time that the server
    was heard to tell.
    """

    def __init__(self, local_ms: Callable[[], int] = local_ms, wall_ms: Callable[[], int] = wall_ms) -> None:
        self._local_ms = local_ms
        self._samples: list[_Sample] = []
        self._rough_ms = wall_ms() - local_ms()
        self._has_heard = False

    def sent(self) -> int:
        """The local time to hand back to `answered`, in ms; no time of day."""
        return self._local_ms()

    def answered(self, sent_ms: int, server_ms: int) -> None:
        """The server said its time in answer to what was sent at `sent_ms`."""
        now = self._local_ms()
        sample = _Sample(server_ms - now, server_ms - min(sent_ms, now))
        self._samples = [*filter(sample.agrees, self._samples), sample][-SAMPLES_KEPT:]

    def heard(self, server_ms: int) -> None:
        """The server said its time unasked: it is that late at least, since nobody knows how long the way was."""
        least = server_ms - self._local_ms()
        if not self._samples:
            self._rough_ms = max(self._rough_ms, least) if self._has_heard else least
        elif least > self._quickest().most_ms + SLACK_MS:
            self._rough_ms, self._samples = least, []
        self._has_heard = True

    @property
    def offset_ms(self) -> int:
        """Add this to the local time."""
        return self._quickest().offset_ms if self._samples else self._rough_ms

    @property
    def round_trip_ms(self) -> int | None:
        """Of the quickest of the last pings; none before the first answer."""
        return self._quickest().round_trip_ms if self._samples else None

    def now_ms(self) -> int:
        """Milliseconds since 1970 by the server's clock."""
        return self._local_ms() + self.offset_ms

    def _quickest(self) -> _Sample:
        """The newest of them."""
        return min(reversed(self._samples), key=lambda sample: sample.round_trip_ms)
