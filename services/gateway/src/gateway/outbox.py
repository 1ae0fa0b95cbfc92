"""What still has to go to one client: bounded, because some clients do not read."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

MESSAGES_MAX = 256
BYTES_MAX = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Closing:
    """A WebSocket close code and its reason."""

    code: int
    reason: str


GOING_AWAY = Closing(1001, "this gateway is stopping: connect again with your versions")
NOT_AUTHENTICATED = Closing(4401, "say hello with a good token")
SESSION_ENDED = Closing(4401, "the session has ended, or the token is to be renewed")
NOT_ALLOWED = Closing(4403, "a socket needs a token with the scope play")
TOO_MANY = Closing(4409, "too many sockets of one account: the oldest has to go")
NO_ROOM = Closing(4503, "room is needed for people with a seat: come back in a moment with your versions")
TOO_SLOW = Closing(4408, "too slow: come back with your version")


class Signal:
    """An `asyncio.Event` for one who waits, in a fifth of its memory: each socket has three."""

    __slots__ = ("_set", "_waiter")

    def __init__(self, *, is_set: bool = False) -> None:
        self._set = is_set
        self._waiter: asyncio.Future[None] | None = None

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def clear(self) -> None:
        self._set = False

    async def wait(self) -> None:
        if self._set:
            return
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None


class Outbox:
    """`put` never waits. When more is waiting than the bounds allow, all of it is dropped and `overflow` is set."""

    def __init__(self, messages_max: int = MESSAGES_MAX, bytes_max: int = BYTES_MAX) -> None:
        self._messages_max = messages_max
        self._bytes_max = bytes_max
        self._waiting: deque[str] = deque()
        self._bytes = 0
        self._closing: Closing | None = None
        self._changed = Signal()
        self._roomy = Signal(is_set=True)
        self.overflow = Signal()

    def put(self, text: str) -> None:
        if self._closing is not None:
            return
        self._waiting.append(text)
        self._bytes += len(text)
        if len(self._waiting) > self._messages_max or self._bytes > self._bytes_max:
            self._waiting.clear()
            self._closing = TOO_SLOW
            self.overflow.set()
        elif len(self._waiting) * 2 > self._messages_max:
            self._roomy.clear()
        self._changed.set()

    def finish(self, closing: Closing) -> None:
        """Nothing more is taken; what waits still goes out."""
        if self._closing is None:
            self._closing = closing
        self._changed.set()

    @property
    def finished(self) -> bool:
        """Its client is to be closed, or too slow."""
        return self._closing is not None

    async def room(self) -> None:
        """Waits until at most half of the messages allowed are waiting: no new request is read before."""
        await self._roomy.wait()

    async def drain(self, send: Callable[[str], Awaitable[None]]) -> Closing:
        """Sends what is put, in order, until `finish`; returns how to close."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._waiting:
                text = self._waiting.popleft()
                self._bytes -= len(text)
                if len(self._waiting) * 2 <= self._messages_max:
                    self._roomy.set()
                await send(text)
            if self._closing is not None:
                return self._closing
