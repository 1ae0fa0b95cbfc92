"""A client and the server that it talks to."""

from collections.abc import AsyncIterator
from random import Random

import pytest
from tests.capicua.matches import TABLE_ID
from tests.capicua.scripted_product import ScriptedProduct
from tests.capicua.scripted_server import ScriptedServer

from capicua import Client


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer(tables=(TABLE_ID,)) as server:
        yield server


@pytest.fixture
async def client(server: ScriptedServer) -> AsyncIterator[Client]:
    async with Client(server.url, token="t", randomness=Random(1)) as client:
        yield client


@pytest.fixture
async def product() -> AsyncIterator[ScriptedProduct]:
    """Without a table, with answers to HTTP requests."""
    async with ScriptedProduct() as product:
        yield product


@pytest.fixture
async def player(product: ScriptedProduct) -> AsyncIterator[Client]:
    """A client of the product."""
    async with Client(product.url, token="t", randomness=Random(1)) as player:
        yield player
