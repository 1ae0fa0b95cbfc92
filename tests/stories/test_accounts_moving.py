"""A guest uses the link that leads into the kept account in the middle of a match, and plays on."""

import asyncio

import pytest
from tests.stories.people import an_address, finished, keep, looked, newest_code

from capicua import Client
from capicua.errors import SignedOut
from capicua.player import play_match
from capicua.server.stack import Stack
from capicua.table import Table
from capicua.view import TableView
from contracts.region import Pool

POOL = Pool(preset="duel-draw", seats=2, target=100)
"""Ten minutes for each, which are enough whatever else the machine does."""
TURN_OF_THE_MOVE = 3


async def begun(one: Client, other: Client) -> tuple[Table, Table]:
    """A match of two people, at which nobody has sat down yet."""
    for client in (one, other):
        await client.queue(**POOL.model_dump())
    tables = await one.next_table(), await other.next_table()
    assert tables[0].id == tables[1].id
    return tables


class Moving:
    """A guest who uses the link before a turn, and goes on as soon as the kept account's socket is open."""

    def __init__(self, stack: Stack, phone: Client, address: str, known: str) -> None:
        self.guest, self.secret = str(phone.account), str(phone.token)
        self.seats: set[int | None] = set()
        self.on_autopilot = False
        self._stack, self._phone, self._address, self._known = stack, phone, address, known
        self._turns = 0

    async def think(self) -> None:
        self._turns += 1
        if self._turns != TURN_OF_THE_MOVE:
            return
        await self._phone.send_link(self._address)
        welcomes = self._phone.connections_count
        moved = await self._phone.use_link(await newest_code(self._stack, self._address, [self._known]))
        assert moved.moved == self.guest

        async def is_back() -> bool:
            return self._phone.connections_count > welcomes

        await looked(is_back)

    def see(self, view: TableView) -> None:
        self.seats.add(view.you)
        self.on_autopilot |= view.seats[(view.you or 1) - 1].autopilot

    @property
    def has_moved(self) -> bool:
        return self._turns > TURN_OF_THE_MOVE


async def test_who_uses_a_link_in_the_middle_of_a_match_plays_on_in_the_same_seat(
    stack: Stack, three: list[Client]
) -> None:
    laptop, phone, bob = three
    address = an_address()
    code = await keep(stack, laptop, address)
    kept = str(laptop.account)
    await laptop.connect()
    table, bobs = await begun(phone, bob)
    moving = Moving(stack, phone, address, code)
    last, theirs = await asyncio.gather(play_match(table, think=moving.think, show=moving.see), play_match(bobs))

    assert moving.has_moved
    assert (last.result, last.seats) == (theirs.result, theirs.seats)
    assert (len(moving.seats), moving.on_autopilot) == (1, False)
    assert last.my_seat is not None
    assert last.my_seat.account == moving.guest
    assert phone.account == kept
    assert (await laptop.next_table()).id == table.id

    async def both_have_it() -> bool:
        return all([table.id in await finished(client) for client in (laptop, phone)])

    await looked(both_have_it)
    assert (await phone.replay(table.id)).table_id == table.id
    async with Client(stack.gateway_url, token=moving.secret) as before:
        with pytest.raises(SignedOut):
            await before.me()


async def test_the_match_of_a_guest_is_among_the_tables_of_the_account_that_it_moves_to_and_is_played_there(
    stack: Stack, three: list[Client]
) -> None:
    laptop, phone, bob = three
    address = an_address()
    code = await keep(stack, laptop, address)
    table, bobs = await begun(phone, bob)
    assert not (await laptop.me()).tables
    bobs_match = asyncio.create_task(play_match(bobs))
    await table.sit()
    await phone.send_link(address)
    await phone.use_link(await newest_code(stack, address, [code]))
    await phone.close()

    async def its_tables() -> list[str]:
        return [entry.table_id for entry in (await laptop.my_tables()).running]

    assert await looked(its_tables) == [table.id]
    assert [place.table_id for place in (await laptop.me()).tables] == [table.id]
    given = await laptop.next_table()
    assert given.id == table.id
    last, theirs = await play_match(given), await bobs_match
    assert (last.result, last.seats) == (theirs.result, theirs.seats)
    assert not any(view.autopilot for view in last.seats)
