"""Five hundred people in the queues of two regions, and the lobby and the table die in between; and those who ask in
the region that is not theirs."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from functools import partial

import pytest
from tests.kafka.product import Watch
from tests.stories.crowd import crowd, each, watched
from tests.stories.refused import refused

from capicua import Client
from capicua.server.stack import Stack
from contracts.region import Pool

PEOPLE_BY_SEATS = {2: 100, 3: 66, 4: 84}
"""In each region; every seat of every table can be taken."""
WAIT_SECONDS = 100


def wishes() -> list[int]:
    """How many seats each person of a region wants, well mixed."""
    waiting, mixed = Counter(PEOPLE_BY_SEATS), []
    while waiting.total():
        for seats, count in waiting.items():
            if count:
                mixed.append(seats)
                waiting[seats] -= 1
    return mixed


def seated(watch: Watch, region: str) -> list[str]:
    """Whoever has been given a seat there, as often as that happened."""
    return [seat["account"] for made in watch.events(region, "match-made") for seat in made["seats"]]


async def told(client: Client) -> str:
    """The table that is given to the person."""
    return (await client.next_table()).id


@pytest.mark.timeout(175)
async def test_nobody_is_seated_twice_and_nobody_is_forgotten(
    stack: Stack, second_gateway: str, western_gateway: str
) -> None:
    async with (
        watched(stack) as watch,
        crowd(second_gateway, len(wishes())) as east,
        crowd(western_gateway, len(wishes())) as west,
    ):
        regions = {"eu": east, "us": west}
        accounts = {region: {str(client.account) for client in people} for region, people in regions.items()}

        def count() -> int:
            return sum(account in accounts[region] for region in regions for account in seated(watch, region))

        asked = list(zip([*east, *west], wishes() * 2, strict=True))
        asked = asked[::2] + asked[1::2]
        waves = [asyncio.create_task(each(asked[:200], queue))]
        await watch.until(lambda: count() >= 50)
        stack.kill("lobby")
        waves.append(asyncio.create_task(each(asked[200:350], queue)))
        await stack.restart("lobby")
        await watch.until(lambda: count() >= 200)
        for name in ("table", "lobby"):
            stack.kill(name)
        waves.append(asyncio.create_task(each(asked[350:], queue)))
        await asyncio.gather(stack.restart("lobby"), stack.restart("table"))
        async with asyncio.timeout(WAIT_SECONDS):
            await asyncio.gather(*waves)
            tables = {region: await asyncio.gather(*map(told, people)) for region, people in regions.items()}
        await watch.until(lambda: count() >= len(asked))
        for region, people in regions.items():
            of_them = [account for account in seated(watch, region) if account in accounts[region]]
            assert Counter(of_them) == Counter(accounts[region])
            await check_tables(watch, region, people, tables[region])


async def test_who_has_an_account_of_one_region_is_refused_by_the_other_and_may_look(
    stack: Stack, western_gateway: str
) -> None:
    pool = Pool(preset="block", seats=2, target=150)
    homes = {stack.gateway_url: western_gateway, western_gateway: stack.gateway_url}
    for home, elsewhere in homes.items():
        async with Client(home) as ann, Client(elsewhere) as wes:
            offered = await wes.offer_table(pool)
            await ann.queue("block", 2, 150)
            async with Client(elsewhere, token=ann.token) as abroad:
                asked = abroad.queue("block", 2, 150), abroad.offer_table(pool), abroad.take_seat(offered)
                assert [await refused(asking) for asking in asked] == ["other-region"] * 3
                async with aclosing(abroad.follow_room("block")) as lists:
                    assert offered in [table.table_id for table in (await anext(lists)).tables]
                room = await abroad.open_room({"preset": "block", "seats": 2})
                assert [person.account for person in (await room.look()).people] == [ann.account]
                await room.leave()
            await ann.leave_queue()
            await wes.leave_seat()


async def queue(asked: tuple[Client, int]) -> None:
    client, seats = asked
    await client.queue("draw", seats, 150)


async def check_tables(watch: Watch, region: str, people: Sequence[Client], tables: Sequence[str]) -> None:
    """Everybody was told the one table at which the log has them; and it has been opened with the same seats."""
    made = {match["table_id"]: match for match in watch.events(region, "match-made")}
    for client, table_id in zip(people, tables, strict=True):
        assert client.account in [seat["account"] for seat in made[table_id]["seats"]]
    for table_id in set(tables):
        (opened,) = await watch.until(partial(watch.events, table_id, "table-opened"))
        assert opened["region"] == region
        assert [seat["account"] for seat in opened["seats"]] == [seat["account"] for seat in made[table_id]["seats"]]
