"""Task scheduling as a parameter, so that a simulation decides who runs when."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, Protocol

CANCEL_AGAIN_SECONDS = 0.2


class Tasks(Protocol):
    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]": ...

    async def sleep(self, seconds: float) -> None: ...


async def end(tasks: Iterable["asyncio.Task[None]"]) -> None:
    """Cancels `tasks` and returns when they have ended; what they raised is theirs.

    More than once where need be: up to Python 3.11 `asyncio.wait_for`, which client libraries use, loses a
    cancellation that comes together with a result.
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=CANCEL_AGAIN_SECONDS)


class LoopTasks:
    """The running asyncio loop."""

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
        return asyncio.get_running_loop().create_task(work, name=name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
