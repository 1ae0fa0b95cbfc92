"""Lobby, table, timer and projector together on a real broker."""

import secrets
from collections.abc import AsyncIterator
from functools import partial

import pytest
from tests.kafka.product import Product, product

from contracts.envelope import DeadLetter
from contracts.region import JoinQueue, LeaveQueue, Pool
from contracts.table import NextRound, OpenTable, PlayTile, Reservation, SitDown
from domino_rules.table import Finished, Pausing, from_json, view_for
from table.projector.live_cache import Entry, LiveCache
from table.projector.tables import Projected

SEATS = (Reservation(account="ann"), Reservation(account="bob"))
POOL = Pool(preset="block", seats=2, target=50)


@pytest.fixture(scope="module")
async def cache_url(redis_url: str) -> str:
    """A database of one's own, so that it can be flushed."""
    return f"{redis_url.rstrip('/')}/3"


@pytest.fixture(scope="module")
async def town(kafka_bootstrap: str, cache_url: str) -> AsyncIterator[Product]:
    async with product(kafka_bootstrap, cache_url) as town:
        yield town


def fresh(name: str) -> str:
    return f"{name}-{secrets.token_hex(4)}"


async def seat_two(town: Product, region: str) -> tuple[str, list[str]]:
    """Two people meet in the queue; their table's id and their accounts in seat order."""
    accounts = [fresh("ann"), fresh("bob")]
    for account in accounts:
        assert (await town.ask("lobby", region, account, JoinQueue(pool=POOL))).refusal is None
    made = town.watch.events(region, "match-made")[-1]
    return made["table_id"], accounts


async def test_a_match_opens_its_table_once(town: Product) -> None:
    region = fresh("eu")
    table_id, accounts = await seat_two(town, region)
    opened = await town.watch.until(lambda: town.watch.events(table_id, "table-opened"))
    assert [seat["account"] for seat in opened[0]["seats"]] == accounts
    assert opened[0]["region"] == region
    assert len(opened) == 1


async def test_a_fill_that_finds_no_bots_times_out_once_and_is_looked_at_again(town: Product) -> None:
    region, account = fresh("eu"), fresh("ann")
    await town.ask("lobby", region, account, JoinQueue(pool=POOL, bots="fill"))
    await town.watch.until(lambda: town.watch.events(region, "fill-postponed"))
    await town.ask("lobby", region, account, LeaveQueue())
    timeouts = [body for body in town.watch.of(region) if body.principal == "timer"]
    assert [body.refusal for body in timeouts] == [None]


async def play_out(town: Product, table_id: str, accounts: list[str]) -> None:
    """Both play what is legal until the match is over."""
    for account in accounts:
        await town.ask("table", table_id, account, SitDown())
    while not isinstance(state := town.state(table_id), Finished):
        if isinstance(state, Pausing):
            for account in accounts:
                await town.ask("table", table_id, account, NextRound(round=view_for(state, None)["round"]))
            continue
        seat = view_for(state, None)["to_move"]
        view = view_for(state, seat)
        tile, _, end = view["legal"][0].partition("@")
        answer = await town.ask("table", table_id, accounts[seat - 1], PlayTile(turn=view["turn"], tile=tile, end=end))
        assert answer.refusal is None


async def test_a_finished_match_frees_its_people_and_leaves_the_cache_after_an_hour(town: Product) -> None:
    region = fresh("eu")
    table_id, accounts = await seat_two(town, region)
    await town.watch.until(lambda: town.watch.events(table_id, "table-opened"))
    early = await town.ask("lobby", region, accounts[0], JoinQueue(pool=POOL))
    assert early.refusal is not None
    assert early.refusal.code == "already-seated"
    await play_out(town, table_id, accounts)
    released = await town.watch.until(lambda: town.watch.events(region, "table-released"))
    assert released == [{"type": "table-released", "table_id": table_id}]
    again = await town.ask("lobby", region, accounts[0], JoinQueue(pool=POOL))
    assert again.refusal is None
    await town.ask("lobby", region, accounts[0], LeaveQueue())
    await town.until_cached(table_id)
    assert 3500 < await town.redis.ttl(f"table:{table_id}") <= 3600


async def test_the_cache_holds_the_newest_durable_state(town: Product) -> None:
    table_id, accounts = await seat_two(town, fresh("eu"))
    await town.watch.until(lambda: town.watch.events(table_id, "table-opened"))
    await town.ask("table", table_id, accounts[0], SitDown(client_seed="luck"))
    entry = await town.until_cached(table_id)
    assert from_json(entry["state"]) == town.state(table_id)
    assert await town.redis.ttl(f"table:{table_id}") == -1


async def test_a_flushed_cache_gets_every_live_table_again(town: Product) -> None:
    table_id, _ = await seat_two(town, fresh("eu"))
    await town.watch.until(lambda: town.watch.events(table_id, "table-opened"))
    before = await town.until_cached(table_id)
    await town.redis.flushdb()
    assert await town.until_cached(table_id) == before


async def test_an_older_projector_does_not_set_a_table_back(town: Product) -> None:
    table_id, accounts = await seat_two(town, fresh("eu"))
    await town.watch.until(lambda: town.watch.events(table_id, "table-opened"))
    old = await town.until_cached(table_id)
    projected = Projected(from_json(old["state"]), old["version"], old["offset"], old["at"])
    await town.ask("table", table_id, accounts[0], SitDown())
    new = await town.until_cached(table_id)
    cache = LiveCache(town.cache_url)
    assert await cache.write([Entry(table_id, old["log_id"], old["partition"], projected)]) == 0
    assert await town.cached(table_id) == new
    assert await cache.write([Entry(table_id, "00" * 16, old["partition"], projected)]) == 1
    await cache.close()


async def test_a_command_that_cannot_be_decided_is_a_dead_letter(town: Product) -> None:
    region, account = fresh("eu"), fresh("ann")
    answer = await town.ask("lobby", region, account, OpenTable(ruleset={}, seats=SEATS, region=region), "bad-1")
    assert answer.fault is not None
    record = await town.find("lobby.dead", lambda record: record.key == region.encode())
    dead = DeadLetter.model_validate_json(record.value or b"")
    assert (dead.topic, dead.code, dead.command_id, dead.principal) == (
        "lobby.commands",
        "undecodable",
        "bad-1",
        account,
    )


async def test_matches_go_on_while_a_second_of_each_process_comes_and_goes(town: Product) -> None:
    """Partitions move to and fro; every match is opened once, finished once, and its people are freed."""
    region = fresh("eu")

    async def match() -> str:
        table_id, accounts = await seat_two(town, region)
        await town.watch.until(lambda: town.watch.events(table_id, "table-opened"))
        await play_out(town, table_id, accounts)
        return table_id

    tables = [await match()]
    async with town.second_of_each():
        tables += [await match() for _ in range(2)]
    tables.append(await match())
    for table_id in tables:
        await town.watch.until(partial(released, town, region, table_id))
        assert len(town.watch.events(table_id, "table-opened")) == 1
        assert len(town.watch.events(table_id, "match-ended")) == 1
        await town.until_cached(table_id)


def released(town: Product, region: str, table_id: str) -> bool:
    return any(event["table_id"] == table_id for event in town.watch.events(region, "table-released"))
