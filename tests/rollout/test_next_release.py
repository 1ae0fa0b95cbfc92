"""A log that a release to come has written: who cannot read a table of it says so, and goes on with all others."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest
from bench.gameday.services import Service
from redis.asyncio import Redis
from tests.gateway.running import Guest, gateway
from tests.gateway.with_accounts import accounts
from tests.rollout.conftest import make_topics
from tests.rollout.next_release.decider import Cheer
from tests.rollout.releases import ROOT
from tests.rollout.town import Town, town
from ulid import ULID

from bus.local import Home
from contracts.message import Message
from contracts.table import OpenTable, Reservation, SitDown

RULESET = {"preset": "draw", "seats": 2, "target": 50}


@pytest.fixture
async def here(own_home: Home, broker: str, redis_url: str) -> AsyncIterator[Town]:
    cache = {"REDIS_URL": redis_url}
    services = {
        "next": Service("tests.rollout.next_release", broker),
        "this": Service("table", broker),
        "timer": Service("timer", broker),
        "projector": Service("table.projector", broker, cache),
    }
    make_topics(ROOT, broker)
    async with town(own_home, broker, services) as here:
        yield here


async def code(here: Town, table_id: str, account: str, command: Message) -> str:
    return (await here.asking.ask(table_id, account, command)).code


async def opened(here: Town, people: list[str]) -> str:
    table_id = str(ULID()).lower()
    seats = tuple(Reservation(account=account) for account in people)
    assert await code(here, table_id, "lobby", OpenTable(ruleset=RULESET, seats=seats, region="eu")) == "accepted"
    assert await code(here, table_id, people[0], SitDown()) == "accepted"
    return table_id


async def test_a_table_that_this_release_cannot_fold_is_left_alone_and_all_others_go_on(
    here: Town, broker: str, redis_url: str, postgres_dsn: str
) -> None:
    await here.services.start("next")
    people = ["ann", "bob"]
    cheered, plain = [await opened(here, people) for _ in range(2)]
    assert await code(here, cheered, "ann", Cheer()) == "accepted"
    for name in ("timer", "projector"):
        await here.services.start(name)
    await here.replace_all("next", "this")
    assert await code(here, cheered, "bob", SitDown()) == "quarantined"
    assert await code(here, plain, "bob", SitDown()) == "accepted"
    assert here.said("this", f"table {cheered} is quarantined") == 1
    assert here.said("this", plain) == 0
    assert here.said("projector", f"table {cheered} is passed over") == 1
    assert here.said("projector", "unknown event cheered") == 1
    await cached(redis_url, plain)
    async with here.playing(2):
        await here.tables.more(2)
    async with accounts(broker, postgres_dsn) as account_url, gateway(broker, redis_url, account_url) as url:
        await watchers_are_told(url, cheered, plain)
    await here.replace_all("this", "next")
    assert await code(here, cheered, "bob", SitDown()) == "accepted", "for who can read it nothing has happened"
    assert here.said("next", "is quarantined") == 0
    await here.services.terminate("timer")
    assert (await here.ledger()).wrong == []


async def watchers_are_told(url: str, cheered: str, plain: str) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=10) as http:
        guest = await Guest.arrive(http, url)
        await guest.connect()
        await guest.say(type="watch", table_id=plain)
        view = await guest.hear("view")
        assert view["view"]["status"] == "playing"
        await guest.say(type="watch", table_id=cheered)
        error = await guest.hear("error")
        assert (error["code"], error["table_id"]) == ("table-unreadable", cheered)
        await guest.socket.close()


async def cached(redis_url: str, table_id: str) -> None:
    """Waits until the projector has written the table as it is once both people sit."""
    async with Redis.from_url(redis_url, decode_responses=True) as redis, asyncio.timeout(20):
        while True:
            text = await redis.get(f"table:{table_id}")
            if text is not None and json.loads(text)["state"]["status"] == "playing":
                return
            await asyncio.sleep(0.02)
