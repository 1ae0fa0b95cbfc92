"""Who waits for long is offered house bots, and on a yes plays with them."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from pydantic import SecretStr
from tests.gateway.running import running
from tests.keys import HOUSE_KEY
from tests.stories.timed_door import timed_door
from tests.stories.town import Town

from bots.app import build as build_bots
from bots.settings import BotsSettings
from capicua import Client, Strength
from contracts.queue_api import QueueStatus

REGION = "eu"
OFFERED_AFTER_MS = 20_000
SIT_SECONDS_MAX = 2.0
WAIT_SECONDS = 30


@pytest.fixture(scope="module")
async def url(town: Town, postgres_dsn: str) -> AsyncIterator[str]:
    """Of a gateway at which three house bots stand by."""
    async with timed_door(town, postgres_dsn) as url:
        settings = BotsSettings(gateway_url=url, house_key=SecretStr(HOUSE_KEY), standing=3, pace_ms=0)
        async with running(build_bots(settings)):
            await town.watch.until(lambda: len(town.watch.events(REGION, "bot-stood-by")) >= 3)
            yield url


async def told(client: Client, *, offered: bool) -> QueueStatus:
    """How the ticket stands, as soon as bots are offered, or as long as they are not."""
    async with asyncio.timeout(WAIT_SECONDS), aclosing(client.queue_statuses()) as statuses:
        async for status in statuses:
            if any(offer.pool is None for offer in status.offers) == offered:
                return status
    raise AssertionError("nobody waits")


async def test_after_twenty_seconds_bots_are_offered_and_on_a_yes_sit_down_within_two(town: Town, url: str) -> None:
    async with Client(url) as ann:
        await ann.queue("block", 4, 100)
        queued_at = (await told(ann, offered=False)).queued_at
        await town.let_pass_in_lobby(REGION, queued_at + OFFERED_AFTER_MS - 1)
        status = await ann.queue_status()
        assert status is not None
        assert not status.offers
        await town.let_pass_in_lobby(REGION, queued_at + OFFERED_AFTER_MS)
        (offer,) = (await told(ann, offered=True)).offers
        assert (offer.missing, offer.message) == (0, "House bots can take the free seats.")

        began = time.monotonic()
        await ann.accept_bots(Strength.EXPERT)
        table = await ann.next_table()
        await town.watch.until(lambda: len(town.watch.events(table.id, "player-seated")) == 3)
        seconds = time.monotonic() - began
        assert seconds <= SIT_SECONDS_MAX
        await table.sit()
        view = await table.first_view()
        assert [(seat.bot, seat.strength) for seat in view.seats] == [(False, None)] + [(True, "expert")] * 3
        assert view.seats[0].account == ann.account
        await table.leave()


async def test_nobody_gets_bots_by_waiting_alone(town: Town, url: str) -> None:
    async with Client(url) as bea:
        await bea.queue("block", 3, 100)
        status = await told(bea, offered=False)
        await town.let_pass_in_lobby(REGION, status.queued_at + 10 * OFFERED_AFTER_MS)
        await told(bea, offered=True)
        assert (await bea.me()).tables == ()
        await bea.leave_queue()
