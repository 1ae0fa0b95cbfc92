"""Who loses a connection in the own turn comes back by another gateway: the same seat, the same hand, the same turn."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest

from capicua import Client, Table, TableView
from capicua.server.stack import Stack
from contracts.region import Pool

POOL = Pool(preset="block", seats=2, target=150)
WAIT_SECONDS = 30


@pytest.fixture
async def two(stack: Stack) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as clients:
        yield [await clients.enter_async_context(Client(stack.gateway_url)) for _ in range(2)]


async def until(table: Table, wanted: Callable[[TableView], bool]) -> TableView:
    """The first view that is as wanted."""
    async with asyncio.timeout(WAIT_SECONDS):
        async for view in table.views():
            if wanted(view):
                return view
    raise AssertionError("the match is over")


async def seated(people: list[Client]) -> list[Table]:
    for client in people:
        await client.queue(**POOL.model_dump())
    tables = [await client.next_table() for client in people]
    for table in tables:
        await table.sit()
    return tables


async def test_who_loses_the_connection_in_the_own_turn_comes_back_by_another_gateway_and_plays(
    two: list[Client], second_gateway: str
) -> None:
    tables = await seated(two)
    seen = [await until(table, lambda view: view.to_move is not None) for table in tables]
    gone = next(number for number, view in enumerate(seen) if view.my_turn)
    before, (stays,) = seen[gone], [table for number, table in enumerate(tables) if number != gone]
    token = two[gone].token
    await two[gone].close()

    async with Client(second_gateway, token=token) as back:
        me = await back.me()
        assert (me.account, [table.table_id for table in me.tables]) == (two[gone].account, [before.table_id])
        table = await back.next_table()
        view = await until(table, lambda view: view.to_move is not None)
        assert (view.table_id, view.you, view.turn) == (before.table_id, before.you, before.turn)
        assert (view.hand, view.legal) == (before.hand, before.legal)
        assert view.my_turn
        version = await table.play(view.legal[0])
        played = await until(stays, lambda view: view.version >= version)
        assert [tile.seat for tile in played.layout] == [before.you]
        await table.resign()


async def test_two_sockets_of_one_person_at_two_gateways_are_both_told_and_either_may_act(
    two: list[Client], second_gateway: str
) -> None:
    tables = await seated(two)
    seen = [await until(table, lambda view: view.to_move is not None) for table in tables]
    mover = next(number for number, view in enumerate(seen) if view.my_turn)
    async with Client(second_gateway, token=two[mover].token) as second:
        there = await second.next_table()
        view = await until(there, lambda view: view.my_turn)
        assert view.hand == seen[mover].hand
        version = await there.play(view.legal[0])
        told = [await until(table, lambda view: view.version >= version) for table in (tables[mover], there)]
        assert told[0].hand == told[1].hand
        assert told[0].turn == told[1].turn
        assert [tile.seat for tile in told[0].layout] == [tile.seat for tile in told[1].layout] == [view.you]
        await tables[mover].resign()
        assert (await there.result()) == (await tables[mover].result()) is not None
