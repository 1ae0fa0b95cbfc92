"""What people say at a table or in a private room, as it is heard."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator

from capicua.errors import CapicuaError
from contracts.room_api import Talk

HEARD_KEPT = 50


class Heard:
    """At most 50 wait to be read, the oldest go first. What a new connection tells again is not heard again."""

    def __init__(self) -> None:
        self._waiting: deque[Talk] = deque(maxlen=HEARD_KEPT)
        self._known: deque[Talk] = deque(maxlen=2 * HEARD_KEPT)
        self._changed = asyncio.Event()
        self._error: CapicuaError | None = None

    async def talk(self) -> AsyncGenerator[Talk, None]:
        """For one reader. Raises what ended the connection."""
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if self._error is not None:
                raise self._error
            self._changed.clear()
            await self._changed.wait()

    def take(self, talk: Talk) -> None:
        if talk not in self._known:
            self._known.append(talk)
            self._waiting.append(talk)
            self._changed.set()

    def fail(self, error: CapicuaError) -> None:
        self._error = error
        self._changed.set()
