"""The product as its own processes, so that all that they write can be read. Nothing rings: who plays has time."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.gateway.fuzz.planted import Planted, planted
from tests.gateway.fuzz.silence import halves, silent

from bus.local import Home
from capicua.server.processes import PROCESSES
from capicua.server.stack import Stack

NOT_HERE = ("bots", "timer")
SILENT_EARLY = 500


@pytest.fixture(scope="session")
async def product() -> AsyncIterator[Stack]:
    processes = [process for process in PROCESSES if process.name not in NOT_HERE]
    with TemporaryDirectory(prefix="capicua-fuzz-", ignore_cleanup_errors=True) as folder:  # as for `postgres`
        async with Stack(Home(Path(folder)), processes=processes, settings={"CAPICUA_PROXIES": "1"}) as stack:
            yield stack


@pytest.fixture(scope="session")
async def secret(product: Stack) -> AsyncIterator[Planted]:
    async with planted(product) as found:
        yield found
        found.check_logs()


@pytest.fixture(scope="session", autouse=True)
async def early(secret: Planted) -> AsyncIterator[list[asyncio.Task[bytes]]]:
    """Connections that have said nothing, or half of something, since before everything else that is tried here: until
    they have ended, all else goes on beside them."""
    async with silent(secret.url, SILENT_EARLY) as crowd, halves(secret.url) as half:
        yield [*crowd, *half]
