"""The server's time as this client knows it, learnt from pings."""

import time
from collections.abc import Callable

SAMPLES_KEPT = 8


class ServerClock:
    """Keeps the offset of the quickest of the last pings: the quicker, the less the way can have bent it."""

    def __init__(self, wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._wall_ms = wall_ms
        self._samples: list[tuple[int, int]] = []

    def sent(self) -> int:
        """The local time to hand back to `answered`, in ms."""
        return self._wall_ms()

    def answered(self, sent_ms: int, server_ms: int) -> None:
        now = self._wall_ms()
        round_trip = max(0, now - sent_ms)
        self._samples = [*self._samples, (round_trip, server_ms - (sent_ms + now) // 2)][-SAMPLES_KEPT:]

    @property
    def offset_ms(self) -> int:
        """Add this to the local time; 0 before the first answer."""
        return min(self._samples)[1] if self._samples else 0

    @property
    def round_trip_ms(self) -> int | None:
        return min(self._samples)[0] if self._samples else None

    def now_ms(self) -> int:
        """Milliseconds since 1970 by the server's clock."""
        return self._wall_ms() + self.offset_ms
