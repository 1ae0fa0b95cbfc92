"""Task scheduling as a parameter, so that a simulation decides who runs when."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol


class Tasks(Protocol):
    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]": ...

    async def sleep(self, seconds: float) -> None: ...


class LoopTasks:
    """The running asyncio loop."""

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
        return asyncio.get_running_loop().create_task(work, name=name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
