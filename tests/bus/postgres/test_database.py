import asyncio

import psycopg
import pytest
from tests.bus.postgres.databases import dsn_of_a_new_database, open_again, shut

from bus.postgres import Database, DatabaseAway
from bus.postgres.database import every, now, one


async def test_what_a_block_has_written_is_kept_unless_it_raises(database: Database) -> None:
    async with database.transaction() as connection:
        await connection.execute("INSERT INTO inbox (principal, id) VALUES ('a', 'kept')")

    async def fail() -> None:
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO inbox (principal, id) VALUES ('a', 'not')")
            raise KeyError

    with pytest.raises(KeyError):
        await fail()
    async with database.transaction() as connection:
        assert [row["id"] for row in await every(connection, "SELECT id FROM inbox")] == ["kept"]


async def test_values_go_by_place_or_by_name(database: Database) -> None:
    async with database.transaction() as connection:
        assert await one(connection, "SELECT %s::int AS a, %s::int AS b", 1, 2) == {"a": 1, "b": 2}
        assert await one(connection, "SELECT %(x)s::int AS a", {"x": 3}) == {"a": 3}
        assert await one(connection, "SELECT WHERE false") is None


async def test_the_databases_clock_goes_on_within_a_transaction(database: Database) -> None:
    async with database.transaction() as connection:
        before = await now(connection)
        await connection.execute("SELECT pg_sleep(0.005)")
        assert await now(connection) >= before + 5


async def test_a_mistake_in_the_sql_is_no_absence(database: Database) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable):
        async with database.transaction() as connection:
            await connection.execute("SELECT * FROM nowhere")


async def test_a_database_that_has_gone_is_said_and_found_again(postgres_dsn: str) -> None:
    dsn = await dsn_of_a_new_database(postgres_dsn)
    database, name = Database(dsn, "ledger", ()), dsn.rpartition("/")[2]
    await database.start()
    await shut(postgres_dsn, name)
    with pytest.raises(DatabaseAway):
        await ask(database)
    assert not await database.answers()
    await open_again(postgres_dsn, name)
    async with asyncio.timeout(20):
        while not await database.answers():  # noqa: ASYNC110 - it tries to connect by itself
            await asyncio.sleep(0.02)
    await ask(database)
    await database.stop()


async def ask(database: Database) -> None:
    async with database.transaction() as connection:
        await every(connection, "SELECT 1")
