"""A ledger's tables, in a schema of each test's own."""

import secrets
from collections.abc import AsyncIterator

import pytest

from bus.postgres import Database


@pytest.fixture
def schema() -> str:
    """A name that no test had before."""
    return f"ledger_{secrets.token_hex(6)}"


@pytest.fixture
async def database(postgres_dsn: str, schema: str) -> AsyncIterator[Database]:
    database = Database(postgres_dsn, schema, ())
    await database.start()
    yield database
    await database.stop()
