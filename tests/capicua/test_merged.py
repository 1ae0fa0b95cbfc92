"""Several streams as one."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from capicua.merged import merged


class Stream:
    """Gives what is put; `is_closed` once nobody reads it any more."""

    def __init__(self) -> None:
        self.items: asyncio.Queue[int | None] = asyncio.Queue()
        self.is_closed = False

    async def read(self) -> AsyncGenerator[int, None]:
        try:
            while (item := await self.items.get()) is not None:
                if item < 0:
                    raise ValueError("broken")
                yield item
        finally:
            self.is_closed = True


async def test_what_comes_first_is_read_first_and_nothing_is_lost() -> None:
    one, other = Stream(), Stream()
    both = merged(one.read(), other.read())
    other.items.put_nowait(1)
    assert await anext(both) == 1
    one.items.put_nowait(2)
    assert await anext(both) == 2
    for number in range(3, 9):
        (one if number % 2 else other).items.put_nowait(number)
    assert {await anext(both) for _ in range(6)} == {3, 4, 5, 6, 7, 8}
    await both.aclose()
    assert one.is_closed
    assert other.is_closed


async def test_it_ends_with_the_first_that_ends_and_closes_the_other() -> None:
    one, other = Stream(), Stream()
    one.items.put_nowait(None)
    assert [item async for item in merged(one.read(), other.read())] == []
    assert one.is_closed


async def test_what_one_raises_is_raised() -> None:
    one, other = Stream(), Stream()
    other.items.put_nowait(-1)
    with pytest.raises(ValueError, match="broken"):
        await anext(merged(one.read(), other.read()))
