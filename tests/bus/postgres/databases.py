"""Databases of a test's own on the one PostgreSQL of the test run."""

import secrets

import psycopg
from psycopg import sql


async def dsn_of_a_new_database(dsn: str) -> str:
    """Where no test was before."""
    name = f"test_{secrets.token_hex(6)}"
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        await connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return dsn.rpartition("/")[0] + f"/{name}"


async def shut(dsn: str, name: str) -> None:
    """Nobody gets into the database `name` any more, and who is inside is sent away; `dsn` is another one's."""
    await _allow(dsn, name, allowed=False)
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        await connection.execute(query, [name])


async def open_again(dsn: str, name: str) -> None:
    await _allow(dsn, name, allowed=True)


async def _allow(dsn: str, name: str, *, allowed: bool) -> None:
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        query = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(sql.Identifier(name), sql.Literal(allowed))
        await connection.execute(query)
