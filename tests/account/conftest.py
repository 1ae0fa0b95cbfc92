"""The account service in this process, on real servers, with what knocks at its door."""

from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr
from tests.account.letterbox import Letterbox, running_letterbox
from tests.account.service import Service, running_service
from tests.bus.postgres.databases import dsn_of_a_new_database

from bus.local import Home
from bus.topics import ensure_topics


@pytest.fixture(scope="session")
async def topics(kafka_bootstrap: str) -> str:
    """The bootstrap address, with all topics there."""
    await ensure_topics(kafka_bootstrap, 6)
    return kafka_bootstrap


@pytest.fixture(scope="session")
async def letterbox(home: Home) -> AsyncIterator[Letterbox]:
    """A mail server of the run."""
    async with running_letterbox(home) as letterbox:
        yield letterbox


@pytest.fixture(scope="module")
async def service(topics: str, postgres_dsn: str, letterbox: Letterbox) -> AsyncIterator[Service]:
    """A running account service with a database of its own, which sends its mail to `letterbox`."""
    dsn = await dsn_of_a_new_database(postgres_dsn)
    async with running_service(topics, dsn, smtp_url=SecretStr(letterbox.url)) as service:
        yield service
