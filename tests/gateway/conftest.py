"""One gateway with its deciders for all tests that need a whole one."""

from collections.abc import AsyncIterator

import pytest
from tests.gateway.running import Guest, deciders, gateway, guests
from tests.gateway.with_accounts import accounts


@pytest.fixture(scope="package")
async def account_url(kafka_bootstrap: str, postgres_dsn: str) -> AsyncIterator[str]:
    async with accounts(kafka_bootstrap, postgres_dsn) as url:
        yield url


@pytest.fixture(scope="package")
async def gateway_url(kafka_bootstrap: str, redis_url: str, account_url: str) -> AsyncIterator[str]:
    async with deciders(kafka_bootstrap), gateway(kafka_bootstrap, redis_url, account_url) as url:
        yield url


@pytest.fixture
async def three(gateway_url: str) -> AsyncIterator[list[Guest]]:
    async with guests(gateway_url, 3) as people:
        yield people
