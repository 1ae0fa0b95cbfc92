"""The product in this process on real servers, with a gateway for the bots to come in."""

from collections.abc import AsyncIterator

import pytest
from tests.gateway.running import HOUSE_KEY, gateway
from tests.kafka.product import product

from bots.house_bot import House
from capicua import Thinker


@pytest.fixture(scope="module")
async def house(kafka_bootstrap: str, redis_url: str) -> AsyncIterator[House]:
    async with product(kafka_bootstrap, redis_url), gateway(kafka_bootstrap, redis_url) as url:
        yield House(url, HOUSE_KEY, pace_ms=0, thinker=Thinker())
