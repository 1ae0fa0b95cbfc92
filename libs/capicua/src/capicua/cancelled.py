"""How work ends that nobody waits for any more."""

import asyncio
from collections.abc import Iterable
from typing import Any


async def cancelled(futures: Iterable[asyncio.Future[Any] | None]) -> None:
    """Cancels those that there are and returns once all have ended, however they did."""
    known = [future for future in futures if future is not None]
    for future in known:
        future.cancel()
    await asyncio.gather(*known, return_exceptions=True)
