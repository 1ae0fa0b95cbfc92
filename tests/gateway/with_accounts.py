"""An account service in this process, for the gateways of a test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.account.service import account_settings
from tests.bus.postgres.databases import dsn_of_a_new_database
from tests.gateway.running import free_port, running, until_open

from account.app import build
from bus.topics import ensure_topics
from contracts.topics import PARTITIONS_LOCAL


@asynccontextmanager
async def accounts(bootstrap: str, postgres_dsn: str, **settings: Any) -> AsyncIterator[str]:
    """``http://…`` of its inner door; it has a database of its own. One at a time takes the commands of a broker."""
    await ensure_topics(bootstrap, PARTITIONS_LOCAL)
    port = free_port()
    dsn = await dsn_of_a_new_database(postgres_dsn)
    async with running(build(account_settings(bootstrap, dsn, port, **settings))):
        await until_open(port)
        yield f"http://127.0.0.1:{port}"
