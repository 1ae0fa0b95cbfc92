"""A lobby and a projector that stand still for longer than their group waits, and come back."""

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from tests.kafka.product import SESSION_MS, Product, product

from bus.local import Home
from bus.local.health import http_ok
from bus.local.ports import HOST, choose_port
from bus.local.process import OwnedProcess
from contracts.region import JoinQueue, Pool

POOL = Pool(preset="draw", seats=2, target=50)
REGIONS = 8


@pytest.fixture
async def town(kafka_bootstrap: str, redis_url: str) -> AsyncIterator[Product]:
    async with product(kafka_bootstrap, f"{redis_url.rstrip('/')}/3") as town:
        yield town


@asynccontextmanager
async def another(module: str, town: Product, home: Home) -> AsyncIterator[OwnedProcess]:
    """A second process of a kind, ready."""
    port = choose_port("CAPICUA_HEALTH_PORT", remembered=None, preferred=None, avoid=())
    environment = {
        **os.environ,
        "KAFKA_BOOTSTRAP": town.bootstrap,
        "REDIS_URL": town.cache_url,
        "CAPICUA_SESSION_MS": str(SESSION_MS),
        "CAPICUA_HEALTH_PORT": str(port),
    }
    process = OwnedProcess.spawn(f"another-{module}", [sys.executable, "-m", module], home, environment=environment)
    try:
        await process.wait_healthy(lambda: http_ok(HOST, port, "/ready"))
        yield process
    finally:
        await process.stop()


async def a_match_in(town: Product, region: str) -> None:
    for _ in range(2):
        answer = await town.ask("lobby", region, f"p{secrets.token_hex(6)}", JoinQueue(pool=POOL))
        assert answer.refusal is None


async def matches_everywhere(town: Product, regions: list[str]) -> None:
    async with asyncio.TaskGroup() as group:
        for region in regions:
            group.create_task(a_match_in(town, region))


async def test_every_match_opens_one_table_and_reaches_the_cache(town: Product, home: Home) -> None:
    regions = [f"r{secrets.token_hex(3)}" for _ in range(REGIONS)]
    async with another("lobby", town, home) as lobby, another("table.projector", town, home) as projector:
        await matches_everywhere(town, regions)
        for process in (lobby, projector):
            process.send_signal(signal.SIGSTOP)
        await matches_everywhere(town, regions)  # those of the lobby that stands still wait until it is replaced
        for process in (lobby, projector):
            process.send_signal(signal.SIGCONT)
        await matches_everywhere(town, regions)
        made = [event["table_id"] for region in regions for event in town.watch.events(region, "match-made")]
        assert len(made) == len(set(made)) == 3 * REGIONS
        for table_id in made:
            await town.watch.until(partial(town.watch.events, table_id, "table-opened"))
            await town.until_cached(table_id)
    assert all(len(town.watch.events(table_id, "table-opened")) == 1 for table_id in made)
