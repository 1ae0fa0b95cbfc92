"""The account service in this process, on real servers, with what knocks at its door."""

from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr
from tests.account.letterbox import Letterbox, running_letterbox
from tests.account.service import Service, running_service
from tests.bus.postgres.databases import dsn_of_a_new_database

from bus.local import Home, start_kafka
from bus.topics import ensure_topics


@pytest.fixture(scope="session")
async def topics(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The bootstrap address of a broker with all topics. It is these tests' own: of the account services at one broker
    each command is carried out by one, and gateways' tests keep theirs until the run is over."""
    kafka = await start_kafka(Home(tmp_path_factory.mktemp("accounts")))
    await ensure_topics(kafka.address, 6)
    yield kafka.address
    await kafka.stop()


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
