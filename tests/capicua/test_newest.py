"""A value that is renewed."""

import asyncio

import pytest

from capicua.errors import Closed
from capicua.newest import Newest


async def test_whoever_reads_slowly_gets_the_newest_and_each_at_most_once() -> None:
    newest: Newest[int] = Newest()
    newest.put(1)
    newest.put(2)
    values = newest.changes()
    assert await anext(values) == 2
    reading = asyncio.ensure_future(anext(values))
    newest.put(3)
    assert await reading == 3


async def test_several_readers_each_see_every_change() -> None:
    newest: Newest[int] = Newest()
    readers = [newest.changes(), newest.changes()]
    reading = [asyncio.ensure_future(anext(values)) for values in readers]
    await asyncio.sleep(0)
    newest.put(7)
    assert await asyncio.gather(*reading) == [7, 7]


async def test_what_is_taken_back_is_waited_for_again() -> None:
    newest: Newest[int] = Newest()
    newest.put(1)
    newest.put(None)
    reading = asyncio.ensure_future(anext(newest.changes()))
    await asyncio.sleep(0)
    assert not reading.done()
    newest.put(5)
    assert await reading == 5


async def test_its_end_is_told_to_those_who_wait_and_those_who_come_later() -> None:
    newest: Newest[int] = Newest()
    reading = asyncio.ensure_future(anext(newest.changes()))
    await asyncio.sleep(0)
    newest.fail(Closed("over"))
    with pytest.raises(Closed):
        await reading
    with pytest.raises(Closed):
        await anext(newest.changes())
