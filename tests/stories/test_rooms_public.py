"""A public table, from the moment when somebody offers it to its end, as three people see it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing

import pytest

from capicua import Client
from capicua.player import play_match
from capicua.server.stack import Stack
from contracts.queue_api import RoomList, TableEntry
from contracts.region import Pool

POOL = Pool(preset="block", seats=2, target=100)
WAIT_SECONDS = 60


@pytest.fixture
async def three(stack: Stack, second_gateway: str) -> AsyncIterator[list[Client]]:
    """The last one is at another gateway."""
    async with AsyncExitStack() as clients:
        urls = (stack.gateway_url, stack.gateway_url, second_gateway)
        yield [await clients.enter_async_context(Client(url)) for url in urls]


class Onlooker:
    """Sees the list of the room of `POOL` change, and notes what it says of one table: its state and its people."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.table_id = ""
        self.seen: list[tuple[str, int] | None] = []
        self._changed = asyncio.Event()

    async def look(self) -> None:
        """Until cancelled."""
        async with aclosing(self.client.follow_room(POOL.preset)) as lists:
            async for tables in lists:
                entry = entry_of(tables, self.table_id)
                now = None if entry is None else (entry.state, len(entry.people))
                if not self.seen or self.seen[-1] != now:
                    self.seen.append(now)
                self._changed.set()

    async def until(self, *seen: tuple[str, int] | None) -> None:
        """Has seen exactly this of the table, in this order."""
        async with asyncio.timeout(WAIT_SECONDS):
            while self.seen != list(seen):
                assert self.seen == list(seen)[: len(self.seen)]
                self._changed.clear()
                await self._changed.wait()


def entry_of(tables: RoomList, table_id: str) -> TableEntry | None:
    return next((entry for entry in tables.tables if entry.table_id == table_id), None)


async def found(client: Client, table_id: str) -> TableEntry:
    """The table on the pages of the room's open ones that the asker could sit down at."""
    async with aclosing(client.tables(POOL.preset, state="open", seats=POOL.seats, target=POOL.target)) as pages:
        async for page in pages:
            for entry in page.tables:
                if entry.table_id == table_id:
                    return entry
    raise AssertionError(f"{table_id} is not on the list")


async def test_two_people_make_find_join_and_play_a_public_table_and_a_third_sees_the_list_change(
    three: list[Client],
) -> None:
    ann, bea, cid = three
    await ann.connect()
    name = await ann.set_name("Ann")
    onlooker = Onlooker(cid)
    looking = asyncio.create_task(onlooker.look())
    await onlooker.until(None)

    onlooker.table_id = table_id = await ann.offer_table(POOL)
    await onlooker.until(None, ("open", 1))
    entry = await found(bea, table_id)
    assert (entry.pool, entry.people[0].account, entry.people[0].name) == (POOL, ann.account, name)
    await bea.take_seat(table_id)

    tables = [await client.next_table() for client in (ann, bea)]
    assert [table.id for table in tables] == [table_id] * 2
    await onlooker.until(None, ("open", 1), ("running", 2))
    last, others = await asyncio.gather(*(play_match(table) for table in tables))
    assert last.result == others.result is not None
    assert [seat.account for seat in last.seats] == [ann.account, bea.account]

    await onlooker.until(None, ("open", 1), ("running", 2), None)
    looking.cancel()
    mine = await bea.my_tables()
    assert (mine.running, [table.table_id for table in mine.finished]) == ((), [table_id])
