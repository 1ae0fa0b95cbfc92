"""Waiting for a table, as the commands do that queue for one."""

import asyncio

from capicua.client import Client
from capicua.table import Table


async def next_table(client: Client) -> Table:
    """The table that the queue gives; an interrupt gives up the place in it."""
    try:
        return await client.next_table()
    except asyncio.CancelledError:
        await client.leave_queue()
        raise
