"""The account service in this process, on real servers, with what knocks at its door."""

from collections.abc import AsyncIterator

import pytest
from tests.account.service import Service, dsn_of_a_new_database, running_service

from bus.topics import ensure_topics


@pytest.fixture(scope="session")
async def topics(kafka_bootstrap: str) -> str:
    """The bootstrap address, with all topics there."""
    await ensure_topics(kafka_bootstrap, 6)
    return kafka_bootstrap


@pytest.fixture(scope="module")
async def service(topics: str, postgres_dsn: str) -> AsyncIterator[Service]:
    """A running account service with a database of its own."""
    async with running_service(topics, await dsn_of_a_new_database(postgres_dsn)) as service:
        yield service
