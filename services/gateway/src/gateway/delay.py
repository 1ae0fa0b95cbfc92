"""How long the way to a client and back takes, measured here and never told by the client."""

from collections.abc import Callable
from statistics import median

from contracts.envelope import DELAY_MS_MAX

TRIPS_KEPT = 5

Measure = Callable[[], int | None]
"""A connection's delay at this moment in ms; None while it has not been measured."""


def unmeasured() -> int | None:
    """The delay of what has no pings: a request over HTTP, a socket of another web server."""
    return None


class Delay:
    """The median of the last five round trips of pings, so that one hiccup of a line or of ours is none of it.

    `now` gives monotonic seconds. Nobody can tell a slow line from a client that answers late on purpose, so that one
    can seem as slow as it likes and gains what the rules credit at most, 500 ms a turn and 5 s a match; it cannot seem
    quicker than it is, and would gain nothing by it. A ping that waits for its answer counts as the time it has waited
    so far, from the moment on that this is more than the median without it: silence neither hides a line that has
    become slow nor makes one look quick. Who has never answered has not been measured.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._trips: tuple[float, ...] = ()
        self._sent_at: float | None = None

    def sent(self) -> None:
        """A ping is on its way; there is one at a time."""
        self._sent_at = self._now()

    def answered(self) -> float:
        """The ping that was on its way has come back; its round trip in ms."""
        assert self._sent_at is not None
        trip = self._now() - self._sent_at
        self._trips = (*self._trips, trip)[-TRIPS_KEPT:]
        self._sent_at = None
        return trip * 1000

    def ms(self) -> int | None:
        """The delay in whole ms, at most a minute; None while no ping has come back."""
        if not self._trips:
            return None
        seconds = median(self._trips)
        if self._sent_at is not None and (waiting := self._now() - self._sent_at) > seconds:
            seconds = median([*self._trips, waiting][-TRIPS_KEPT:])
        return min(round(seconds * 1000), DELAY_MS_MAX)
