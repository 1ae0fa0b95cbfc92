"""A match whose table is refused: nobody of it stays seated. Its name was made by a clock that is hours ahead of the
tables' own."""

from tests.gateway.running import running
from tests.kafka.product import SESSION_MS
from tests.stories.town import Town

from bus.partitioning import partition_of
from contracts.message import Message
from contracts.region import JoinQueue, Pool
from contracts.room import EnterRoom, OpenRoom, StartMatch
from contracts.topics import PARTITIONS_LOCAL
from table.projector.app import build as build_projector
from table.settings import ProjectorSettings

HOUR_MS = 60 * 60 * 1000
DUEL = Pool(preset="block", seats=2, target=150)
ROOM = "room-abc234"


async def test_people_whose_table_is_refused_are_free_at_once_in_the_queue_and_in_a_private_room(town: Town) -> None:
    region = "eu-never-opened"
    settings = ProjectorSettings(kafka_bootstrap=town.bootstrap, session_ms=SESSION_MS, redis_url=town.cache_url)
    with town.time.rules():
        projector = build_projector(settings)
    async with running(projector):
        with town.time.first_in("lobby", partition_of(region, PARTITIONS_LOCAL), town.time.now + 2 * HOUR_MS):
            for account in ("ann", "bob"):
                await done(town, region, account, JoinQueue(pool=DUEL))
            await town.watch.until(lambda: town.watch.events(region, "table-released"))
        (made,) = town.watch.events(region, "match-made")
        assert town.watch.events(region, "table-released") == [
            {
                "type": "table-released",
                "table_id": made["table_id"],
                "not_opened": "bad-id",
                "accounts": ["ann", "bob"],
            }
        ]
        for account in ("ann", "bob"):
            await done(town, region, account, JoinQueue(pool=DUEL))
        again = town.watch.events(region, "match-made")[-1]["table_id"]
        await town.watch.until(lambda: town.watch.events(again, "table-opened"))

        await done(town, ROOM, "ann", OpenRoom(region=region, ruleset={"preset": "draw", "seats": 2}))
        await done(town, ROOM, "bob", EnterRoom())
        with town.time.first_in("lobby", partition_of(ROOM, PARTITIONS_LOCAL), town.time.now + 2 * HOUR_MS):
            await done(town, ROOM, "ann", StartMatch())
            await town.watch.until(lambda: town.watch.events(ROOM, "room-released"))
        assert town.watch.events(ROOM, "room-released")[0]["not_opened"] == "bad-id"
        await done(town, ROOM, "ann", StartMatch())
        again = town.watch.events(ROOM, "match-started")[-1]["table_id"]
        await town.watch.until(lambda: town.watch.events(again, "table-opened"))


async def done(town: Town, aggregate: str, account: str, command: Message) -> None:
    answer = await town.ask("lobby", aggregate, account, command)
    assert (answer.refusal, answer.fault) == (None, None)
