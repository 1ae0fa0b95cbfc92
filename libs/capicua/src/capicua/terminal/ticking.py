"""The countdown of a display, kept going beside whatever else is done."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from capicua.terminal.display import Display


@contextlib.asynccontextmanager
async def ticking(display: Display, connected: Callable[[], bool]) -> AsyncIterator[None]:
    """Ticks whenever what is shown may have changed."""
    task = asyncio.create_task(_keep_ticking(display, connected))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _keep_ticking(display: Display, connected: Callable[[], bool]) -> None:
    while True:
        seconds = display.tick(connected=connected())
        await asyncio.sleep(seconds)
