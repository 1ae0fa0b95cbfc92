"""One gateway with its deciders for all tests that need a whole one."""

from collections.abc import AsyncIterator

import pytest
from tests.gateway.running import Guest, deciders, gateway, guests


@pytest.fixture(scope="package")
async def gateway_url(kafka_bootstrap: str, redis_url: str) -> AsyncIterator[str]:
    async with deciders(kafka_bootstrap), gateway(kafka_bootstrap, redis_url) as url:
        yield url


@pytest.fixture
async def three(gateway_url: str) -> AsyncIterator[list[Guest]]:
    async with guests(gateway_url, 3) as people:
        yield people
