"""Migrations: files of plain SQL, applied once each in the order of their names.

yoyo rather than Alembic: its migrations are the SQL files themselves, and nothing here has a model to compare with.
"""

import asyncio
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from yoyo import read_migrations
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend
from yoyo.connections import DatabaseURI
from yoyo.migrations import default_migration_table

CONNECT_SECONDS = 3
LOCK = 0x6361706963756103
"""Of this database, while migrations are applied: `capicua` and a number."""
SHARED = str(Path(__file__).with_name("migrations"))
"""The tables that every ledger has: inbox and outbox."""


class _Backend(PostgresqlPsycopgBackend):  # type: ignore[misc]  # yoyo has no types
    """A migration and the note that it has been applied are one transaction: yoyo's own are two, and who was killed
    between them could never start again."""

    def connect(self, dburi: DatabaseURI) -> "psycopg.Connection[Any]":
        schema = dburi.args["schema"]
        connection = psycopg.connect(
            dburi.args["dsn"],
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            application_name=f"{schema}-migrations",
            options=f"-c search_path={schema}",
        )
        connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
        return connection

    def apply_one(self, migration: Any, force: bool = False, mark: bool = True) -> None:  # noqa: ARG002 - as its own
        self.ensure_internal_schema_updated()
        with self.transaction():
            migration.process_steps(self, "apply", force=force)
            self.mark_one(migration, log=False)


def _migrate(dsn: str, schema: str, folders: tuple[str, ...]) -> None:
    uri = DatabaseURI("postgresql+psycopg", None, None, None, None, "", {"dsn": dsn, "schema": schema})
    with _Backend(uri, default_migration_table) as backend:
        backend.init_database()
        backend.break_lock()  # the lock that counts is the connection's, and nobody forgets to give it back
        for folder in folders:
            backend.apply_migrations(backend.to_apply(read_migrations(folder)))


async def migrate(dsn: str, schema: str, folders: tuple[str, ...]) -> None:
    """Brings `schema`, made where there is none, up to what the `folders` say; one process at a time does.

    Raises `psycopg.Error`, with nothing half applied.
    """
    await asyncio.to_thread(_migrate, dsn, schema, (SHARED, *folders))
