"""A few at once of each account: whoever waits for its row has a connection of the database that others need."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

AT_ONCE_MAX = 3
WAIT_SECONDS_MAX = 2.0


class TurnNeverCame(Exception):
    """Those before were not done in time."""


@dataclass(slots=True)
class _Queue:
    """`there`: how many are at work or wait."""

    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE_MAX))
    there: int = 0


class Turns:
    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    @asynccontextmanager
    async def of(self, account: str) -> AsyncIterator[None]:
        """Waits for a turn, without any connection. Raises `TurnNeverCame`."""
        queue = self._queues.setdefault(account, _Queue())
        queue.there += 1
        try:
            await _turn(queue.turns)
            try:
                yield
            finally:
                queue.turns.release()
        finally:
            queue.there -= 1
            if not queue.there:
                del self._queues[account]


async def _turn(turns: asyncio.Semaphore) -> None:
    try:
        async with asyncio.timeout(WAIT_SECONDS_MAX):
            await turns.acquire()
    except TimeoutError:
        raise TurnNeverCame from None
