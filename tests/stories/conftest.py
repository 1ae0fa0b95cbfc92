"""The whole product as its own processes, with quick house bots."""

from collections.abc import AsyncIterator

import pytest

from bus.local import Home
from capicua.server.stack import Stack


@pytest.fixture(scope="package")
async def stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    settings = {"CAPICUA_PACE_MS": "60", "CAPICUA_STANDING": "3", "CAPICUA_LEAVE_SECONDS": "0"}
    async with Stack(Home(tmp_path_factory.mktemp("stories")), settings=settings) as stack:
        yield stack
