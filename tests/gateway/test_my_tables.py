import json
import secrets
from typing import Any

import pytest
from redis.asyncio import Redis

from contracts.api import SeatedAt
from contracts.live_cache import finished_key
from contracts.queue_api import FinishedTable, Person
from contracts.region import MatchMade, Pool
from contracts.room import MatchStarted
from contracts.table import Reservation
from gateway.cursors import BadCursor
from gateway.merged import Merged
from gateway.my_tables import FinishedTables, page_of, pool_of_match, running_entry
from gateway.whereabouts import Running

SEATS = (Reservation(account="ann"), Reservation(account="bea", bot=True))
PARTY = {"preset": "party", "seats": 4}


def started(**ruleset: Any) -> MatchStarted:
    return MatchStarted(table_id="t1", ruleset=ruleset, seats=SEATS)


def person(seat: Reservation) -> Person:
    return Person(account=seat.account, name=seat.account.title(), bot=seat.bot)


def test_a_running_table_of_the_queue_is_shown_with_its_pool() -> None:
    pool = Pool(preset="draw", seats=2, target=50, rated=True)
    match = MatchMade(table_id="t1", pool=pool, seats=SEATS)
    entry = running_entry(Running(SeatedAt(table_id="t1", region="eu"), match, 7), person)
    assert entry is not None
    assert (entry.pool, entry.state, entry.since, entry.region) == (pool, "running", 7, "eu")
    assert [(one.name, one.bot) for one in entry.people] == [("Ann", False), ("Bea", True)]


@pytest.mark.parametrize(
    ("ruleset", "pool"),
    [
        ({"preset": "draw"}, Pool(preset="draw", seats=2, target=100)),
        ({**PARTY, "target": 7, "pairs": True}, Pool(preset="party", seats=4, target=7, pairs=True)),
        ({**PARTY, "turn_ms": 30_000}, Pool(preset="party", seats=4, target=100, turn_seconds=30)),
        ({**PARTY, "turn_ms": 1_500}, Pool(preset="party", seats=4, target=100)),
        ({"preset": "duel-draw", "clock_ms": 300_000}, Pool(preset="duel-draw", seats=2, target=100, clock_minutes=5)),
    ],
)
def test_a_private_rooms_options_are_said_in_the_words_of_a_pool(ruleset: dict[str, Any], pool: Pool) -> None:
    assert pool_of_match(started(**ruleset)) == pool


def test_a_private_rooms_table_of_unknown_rules_is_left_out() -> None:
    running = Running(SeatedAt(table_id="t1", region="room-abc234"), started(preset="chess"), 7)
    assert running_entry(running, person) is None


def finished(table_id: str, at: int) -> FinishedTable:
    return FinishedTable(table_id=table_id, region="eu", at=at, seats=SEATS)


async def test_tables_of_the_guests_that_one_was_stand_among_the_own_ones_each_once(redis_url: str) -> None:
    ann, guest = (f"{name}-{secrets.token_hex(4)}" for name in ("ann", "guest"))
    lists = {ann: [finished("both", 5), finished("own", 9)], guest: [finished("both", 5), finished("guests", 7)]}
    async with Redis.from_url(redis_url) as redis:
        for account, tables in lists.items():
            await redis.zadd(finished_key(account), {table.model_dump_json(): table.at for table in tables})
        found = await FinishedTables(redis).of({ann, guest})
        assert [table.table_id for table in found] == ["own", "guests", "both"]


def test_finished_tables_come_page_by_page_each_once_whatever_is_added_meanwhile() -> None:
    tables = [finished(f"t{at % 10}", at) for at in range(9, -1, -1)]
    first, cursor = page_of(tables, None, 4)
    added = [finished("newer", 10), finished("as-old", 6), *tables]
    second, following = page_of(added, cursor, 4)
    assert ([table.at for table in first], [table.at for table in second]) == ([9, 8, 7, 6], [6, 5, 4, 3])
    third, last = page_of(tables, following, 4)
    assert ([table.at for table in third], last) == ([2, 1, 0], None)
    assert page_of(tables, None, 10) == (tables, None)


@pytest.mark.parametrize("cursor", ["", "?", "e30", "WzFd", "WyJhIiwxXQ", "W" * 200, "ä"])
def test_what_no_page_has_named_is_no_cursor(cursor: str) -> None:
    for tables in ([finished("t1", 1)], []):
        with pytest.raises(BadCursor):
            page_of(tables, cursor, 4)


async def test_guests_are_kept_with_the_account_that_they_are_now_until_it_changes(redis_url: str) -> None:
    ann = f"ann-{secrets.token_hex(4)}"
    async with Redis.from_url(redis_url) as redis:
        await redis.set(f"merged:{ann}", json.dumps(["g1", "g2"]))
        merged = Merged(redis)
        assert await merged.with_guests(ann) == {ann, "g1", "g2"}
        await merged.forget([ann])
        assert await merged.with_guests(ann) == {ann}


async def test_where_nobody_can_say_who_was_merged_people_have_their_own_tables(unused_tcp_port: int) -> None:
    async with Redis.from_url(f"redis://127.0.0.1:{unused_tcp_port}") as redis:
        assert await Merged(redis).with_guests("ann") == {"ann"}
