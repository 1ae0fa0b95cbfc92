"""The tables at which one sits."""

import asyncio

from capicua.client import Client
from capicua.errors import CapicuaError
from contracts.queue_api import TableEntry

ANSWER_SECONDS_MAX = 3.0


async def my_running_tables(client: Client) -> tuple[TableEntry, ...]:
    """None where they cannot be had soon: nothing that a person came for needs to wait for them."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS_MAX):
            return (await client.my_tables()).running
    except (CapicuaError, TimeoutError):
        return ()
