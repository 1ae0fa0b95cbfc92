"""The account service's tables without the service, and somebody in them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.bus.postgres.databases import dsn_of_a_new_database

from account.app import MIGRATIONS, SCHEMA
from bus.postgres import Database

GUEST = "guest"


@asynccontextmanager
async def database_with_a_guest(dsn: str) -> AsyncIterator[Database]:
    """A new database on the server of `dsn`, with the account `GUEST`."""
    database = Database(await dsn_of_a_new_database(dsn), SCHEMA, (MIGRATIONS,))
    await database.start()
    async with database.transaction() as connection:
        query = "INSERT INTO accounts (account, kind, region, made_at) VALUES (%s, 'guest', 'eu', 0)"
        await connection.execute(query, [GUEST])
    yield database
    await database.stop()
