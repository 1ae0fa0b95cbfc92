"""The countdown of a display, kept going beside whatever else is done."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from capicua.terminal.display import Display

LOST = "connection lost, coming back …"


def lost(connected: bool) -> str:
    return "" if connected else LOST


@contextlib.asynccontextmanager
async def ticking(display: Display, trouble: Callable[[], str]) -> AsyncIterator[None]:
    """Ticks whenever what is shown may have changed. `trouble` gives what is in the way, or nothing."""
    task = asyncio.create_task(_keep_ticking(display, trouble))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _keep_ticking(display: Display, trouble: Callable[[], str]) -> None:
    while True:
        seconds = display.tick(trouble())
        await asyncio.sleep(seconds)
