"""The pings of one connection: when the next is due, and what their answers tell the clock."""

from collections.abc import Callable

from capicua.server_clock import ServerClock, local_ms, wall_ms
from contracts.api import Ping, Pong

TICK_SECONDS = 0.25
"""How often one should look whether a ping is due."""
SOON_MS = (300, 700)
"""The first waits after the ping that greets: the quickest of some is worth more than a single one."""
EVERY_MS = 5000
LATE_MS = 2000
"""A tick that comes this late, or between which the machine's clock and its monotonic one parted by this much: the
machine slept, or its clock was set."""


class Pinger:
    """Ask it for a `due` ping every `TICK_SECONDS`."""

    def __init__(
        self, clock: ServerClock, local_ms: Callable[[], int] = local_ms, wall_ms: Callable[[], int] = wall_ms
    ) -> None:
        self._clock = clock
        self._local_ms = local_ms
        self._wall_ms = wall_ms
        self._under_way: dict[str, int] = {}
        self._count = 0
        self._next_ms = self._ticked_ms = local_ms()
        self._apart_ms = wall_ms() - self._ticked_ms

    def due(self) -> Ping | None:
        """The ping to send now: soon after connecting, then regularly, and at once when the machine has slept."""
        now = self._local_ms()
        slept = self._has_slept(now)
        if slept:
            self._under_way.clear()  # their way may have led through the sleep
        if now < self._next_ms and not slept:
            return None
        self._next_ms = now + (SOON_MS[self._count] if self._count < len(SOON_MS) else EVERY_MS)
        self._count += 1
        ping = Ping(id=f"ping-{self._count}")
        self._under_way[ping.id] = self._clock.sent()
        return ping

    def answered(self, pong: Pong) -> None:
        """Of a ping that it does not remember it learns nothing."""
        sent = self._under_way.pop(pong.id, None)
        if sent is not None:
            self._clock.answered(sent, pong.server_time)

    def _has_slept(self, now: int) -> bool:
        apart = self._wall_ms() - now
        slept = now - self._ticked_ms > LATE_MS or abs(apart - self._apart_ms) > LATE_MS
        self._ticked_ms, self._apart_ms = now, apart
        return slept
