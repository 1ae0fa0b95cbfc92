"""Several streams read as one."""

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

from capicua.cancelled import cancelled

Item = TypeVar("Item")


async def merged(*sources: AsyncGenerator[Item, None]) -> AsyncGenerator[Item, None]:
    """What each gives, as it comes; ends, or raises, with the first that does, and closes all."""
    coming = {asyncio.ensure_future(anext(source)): source for source in sources}
    try:
        while True:
            done, _ = await asyncio.wait(coming, return_when=asyncio.FIRST_COMPLETED)
            for ready in done:
                source = coming.pop(ready)
                try:
                    item = ready.result()
                except StopAsyncIteration:
                    return
                coming[asyncio.ensure_future(anext(source))] = source
                yield item
    finally:
        await cancelled(coming)
        for source in sources:
            await source.aclose()
