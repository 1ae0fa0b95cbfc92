"""The product in this process on real servers, with a gateway for the bots to come in."""

from collections.abc import AsyncIterator

import pytest
from tests.gateway.running import gateway
from tests.gateway.with_accounts import accounts
from tests.kafka.product import product
from tests.keys import HOUSE_KEY

from bots.house_bot import House
from capicua import Thinker


@pytest.fixture(scope="module")
async def house(kafka_bootstrap: str, redis_url: str, postgres_dsn: str) -> AsyncIterator[House]:
    async with (
        product(kafka_bootstrap, redis_url),
        accounts(kafka_bootstrap, postgres_dsn) as account_url,
        gateway(kafka_bootstrap, redis_url, account_url) as url,
    ):
        yield House(url, HOUSE_KEY, pace_ms=0, thinker=Thinker())
