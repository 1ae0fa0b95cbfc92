"""Migrations are applied once, whole, by one process at a time."""

import asyncio
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bus.postgres.migrating import migrate

FIRST = "CREATE TABLE things (name text PRIMARY KEY);\nINSERT INTO things VALUES ('first');\n"


async def rows(dsn: str, schema: str, query: str, *values: Any) -> list[tuple[Any, ...]]:
    async with await psycopg.AsyncConnection.connect(dsn, options=f"-c search_path={schema}") as connection:
        return await (await connection.execute(query.encode(), values)).fetchall()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0001_things.sql").write_text(FIRST)
    return tmp_path


async def test_each_is_applied_once_however_many_begin_at_once(postgres_dsn: str, schema: str, folder: Path) -> None:
    await asyncio.gather(*(migrate(postgres_dsn, schema, (str(folder),)) for _ in range(5)))
    assert await rows(postgres_dsn, schema, "SELECT name FROM things") == [("first",)]


async def test_a_later_one_is_added_to_what_is_there(postgres_dsn: str, schema: str, folder: Path) -> None:
    await migrate(postgres_dsn, schema, (str(folder),))
    (folder / "0002_more.sql").write_text("INSERT INTO things VALUES ('second');")
    await migrate(postgres_dsn, schema, (str(folder),))
    assert await rows(postgres_dsn, schema, "SELECT name FROM things ORDER BY name") == [("first",), ("second",)]


async def test_one_that_fails_leaves_nothing_behind_and_can_be_mended(
    postgres_dsn: str, schema: str, folder: Path
) -> None:
    (folder / "0002_more.sql").write_text("INSERT INTO things VALUES ('second');\nINSERT INTO nowhere VALUES (1);\n")
    with pytest.raises(psycopg.errors.UndefinedTable):
        await migrate(postgres_dsn, schema, (str(folder),))
    assert await rows(postgres_dsn, schema, "SELECT name FROM things") == [("first",)]
    (folder / "0002_more.sql").write_text("INSERT INTO things VALUES ('second');")
    await migrate(postgres_dsn, schema, (str(folder),))
    assert await rows(postgres_dsn, schema, "SELECT count(*) FROM things") == [(2,)]


async def test_two_ledgers_in_one_database_do_not_see_each_other(postgres_dsn: str, schema: str, folder: Path) -> None:
    other = f"{schema}_other"
    await migrate(postgres_dsn, schema, (str(folder),))
    await migrate(postgres_dsn, other, (str(folder),))
    await rows(postgres_dsn, schema, "DELETE FROM things RETURNING name")
    assert await rows(postgres_dsn, other, "SELECT name FROM things") == [("first",)]
