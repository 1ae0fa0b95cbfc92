"""A value that the server renews: whoever reads it gets the newest, and never an older one after it."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Generic, TypeVar

from capicua.errors import CapicuaError

Value = TypeVar("Value")


class Newest(Generic[Value]):
    """`value` is none until the first is there. A slow reader misses what has been replaced meanwhile."""

    def __init__(self) -> None:
        self.value: Value | None = None
        self._count = 0
        self._error: CapicuaError | None = None
        self._changed = asyncio.Event()

    def put(self, value: Value | None) -> None:
        """None: there is no such thing any more; readers wait for the next."""
        self.value = value
        self._count += 1
        self._wake()

    def fail(self, error: CapicuaError) -> None:
        """Ends everybody who reads."""
        self._error = error
        self._wake()

    async def changes(self) -> AsyncGenerator[Value, None]:
        """The value that is there, then each newer one. Raises what ended it."""
        seen = 0
        while True:
            if self._count > seen and self.value is not None:
                seen = self._count
                yield self.value
            elif self._error is not None:
                raise self._error
            else:
                await self._changed.wait()

    def _wake(self) -> None:
        """Everybody who waits now; who comes later waits for the next."""
        self._changed.set()
        self._changed = asyncio.Event()
