"""People with accounts: their matches, and the mails that they are sent."""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from bus.local.mailbox import NAME as MAILBOX
from capicua import Client
from capicua.player import play_match
from capicua.server.mail import read_mails
from capicua.server.stack import Stack
from contracts.region import Pool

POOL = Pool(preset="draw", seats=2, target=50)
WAIT_SECONDS = 30
CODE = re.compile(r"/recover#([A-Za-z0-9_-]+)$", re.MULTILINE)
T = TypeVar("T")


def an_address() -> str:
    """That nobody else in this run has."""
    return f"ann.{secrets.token_hex(6)}@example.org"


async def looked(ask: Callable[[], Awaitable[T | None]]) -> T:
    """What there is as soon as there is something, of what cannot be waited for but by asking again."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            found = await ask()
            if found:
                return found
            await asyncio.sleep(0.05)


async def newest_code(stack: Stack, address: str, known: Sequence[str] = ()) -> str:
    """The code of the newest mail to this address, other than those that are known."""

    async def look() -> str | None:
        mails = await asyncio.to_thread(read_mails, stack.home.data(MAILBOX))
        codes = [code for mail in mails if mail.to == address for code in CODE.findall(mail.text)]
        return next((code for code in reversed(codes) if code not in known), None)

    return await looked(look)


async def keep(stack: Stack, client: Client, address: str) -> str:
    """The client's account is kept by this address from now on, or has moved to the account that is; the code."""
    await client.send_link(address)
    code = await newest_code(stack, address)
    await client.use_link(code)
    return code


async def match_of(ann: Client, bob: Client, pool: Pool = POOL) -> str:
    """A whole match of two people; its table."""
    for client in (ann, bob):
        await client.queue(**pool.model_dump())
    tables = [await client.next_table() for client in (ann, bob)]
    assert tables[0].id == tables[1].id
    await asyncio.gather(*map(play_match, tables))
    return tables[0].id


async def finished(client: Client) -> list[str]:
    """The tables that one has played at to their end, as the service lists them."""
    tables: list[str] = []
    cursor: str | None = None
    while True:
        page = await client.my_tables(cursor)
        tables += [table.table_id for table in page.finished]
        cursor = page.next
        if cursor is None:
            return tables
