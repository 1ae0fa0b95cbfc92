"""How long an owner that has dropped its partition waits before it claims it again."""

import asyncio
from collections.abc import Awaitable, Callable

from bus.parts import Parts

SECONDS = (0.3, 0.6)
SECONDS_MAX = 5.0
DOUBLINGS_MAX = 6


class Backoff:
    """From 0.3 to 0.6 seconds, by chance, and twice as long after each drop under which nothing was decided."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._drops = 0

    def reset(self) -> None:
        self._drops = 0

    async def wait(self, cut_short: Callable[[], Awaitable[None]]) -> bool:
        """Waits for the time to pass (then True) or for `cut_short()`."""
        low, high = SECONDS
        longest = (low + (high - low) * self._parts.chance()) * 2**self._drops
        self._drops = min(self._drops + 1, DOUBLINGS_MAX)
        waiting = asyncio.ensure_future(cut_short())
        sleeping = asyncio.ensure_future(self._parts.tasks.sleep(min(longest, SECONDS_MAX)))
        try:
            done, _ = await asyncio.wait((waiting, sleeping), return_when=asyncio.FIRST_COMPLETED)
            return waiting not in done
        finally:
            waiting.cancel()
            sleeping.cancel()
