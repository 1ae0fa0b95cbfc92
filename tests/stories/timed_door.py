"""A gateway of a town: log time is the town's, and connections are lost in time that goes on by itself."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
from tests.gateway.running import SESSION_MS, gateway, running
from tests.gateway.with_accounts import accounts
from tests.stories.town import Town

from bus.clock import SystemClock
from bus.kafka import KafkaLog
from bus.parts import Parts
from bus.settings import BusSettings
from table.projector.app import build as build_projector
from table.settings import ProjectorSettings


@asynccontextmanager
async def timed_door(town: Town, postgres_dsn: str) -> AsyncIterator[str]:
    """``http://…``; behind it stand the accounts, and a projector, which tells rooms that their tables are over."""

    def parts_of_gateway(settings: BusSettings) -> tuple[KafkaLog, Parts]:
        log, parts = town.time.parts(settings)
        return log, replace(parts, clock=SystemClock())

    settings = ProjectorSettings(kafka_bootstrap=town.bootstrap, session_ms=SESSION_MS, redis_url=town.cache_url)
    async with AsyncExitStack() as stack:
        with town.time.rules(), pytest.MonkeyPatch.context() as patch:
            patch.setattr("gateway.app.kafka_parts", parts_of_gateway)
            await stack.enter_async_context(running(build_projector(settings)))
            account_url = await stack.enter_async_context(accounts(town.bootstrap, postgres_dsn))
            url = await stack.enter_async_context(gateway(town.bootstrap, town.cache_url, account_url))
        yield url
