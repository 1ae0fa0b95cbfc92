"""The queue's state and public rooms of a whole gateway, as people and programs meet them."""

import secrets
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis
from tests.gateway.running import Guest, guests
from tests.gateway.test_api import problem
from tests.keys import HOUSE_KEY

from contracts.names import fallback_name
from contracts.queue_api import FinishedTable
from contracts.table import Reservation
from table.projector.live_cache import LiveCache as ProjectorsCache

BLOCK = {"preset": "block", "seats": 2, "target": 150}
TRIO = {"preset": "block", "seats": 3, "target": 150}


@pytest.fixture
async def ann_and_bea(gateway_url: str) -> AsyncIterator[list[Guest]]:
    async with guests(gateway_url, 2) as two:
        yield two


async def post(guest: Guest, path: str, **body: Any) -> httpx.Response:
    return await guest.http.post(path, json={"id": secrets.token_hex(8), **body}, headers=guest.headers)


async def get(guest: Guest, path: str, **query: Any) -> httpx.Response:
    return await guest.http.get(path, params=query, headers=guest.headers)


async def done(guest: Guest, path: str, **body: Any) -> dict[str, Any]:
    answer = await post(guest, path, **body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def hear_of(guest: Guest, table_id: str) -> dict[str, Any]:
    """The table's entry, when the room tells of it next."""
    while True:
        message = await guest.hear("room-list", "room-changes")
        for entry in message.get("tables") or message.get("changed", []):
            if entry["table_id"] == table_id:
                found: dict[str, Any] = entry
                return found


# ---- public tables


async def test_two_people_make_find_join_and_get_a_public_table(ann_and_bea: list[Guest]) -> None:
    ann, bea = ann_and_bea
    await bea.say(type="follow-room", preset="block")
    assert (await bea.hear("room-list"))["preset"] == "block"
    made = await done(ann, "/v1/tables", pool=BLOCK)
    entry = await hear_of(bea, made["table_id"])
    assert (entry["state"], [person["account"] for person in entry["people"]]) == ("open", [ann.account])
    assert entry["people"][0]["name"]
    listed = (await get(bea, "/v1/rooms/block/tables", state="open", target=150)).json()
    assert made["table_id"] in [table["table_id"] for table in listed["tables"]]
    await done(bea, f"/v1/tables/{made['table_id']}/seat")
    for guest in ann_and_bea:
        assert (await guest.hear("your-table"))["table_id"] == made["table_id"]
    rooms = {room["preset"]: room for room in (await get(bea, "/v1/rooms")).json()["rooms"]}
    assert rooms["block"]["running"] >= 1
    (running,) = (await get(ann, "/v1/me/tables")).json()["running"]
    assert (running["table_id"], running["state"], running["pool"]["target"]) == (made["table_id"], "running", 150)


async def test_an_offer_repeated_with_its_id_is_the_same_table(ann_and_bea: list[Guest]) -> None:
    ann, _ = ann_and_bea
    first = await done(ann, "/v1/tables", id="once", pool=TRIO)
    assert await done(ann, "/v1/tables", id="once", pool=TRIO) == first
    for _ in range(2):
        await done(ann, "/v1/tables/leave")
    assert await done(ann, "/v1/tables", id="once", pool=TRIO) == first
    other = await done(ann, "/v1/tables", id="again", pool=TRIO)
    assert other["table_id"] != first["table_id"]
    assert await done(ann, "/v1/tables", id="once", pool=TRIO) == first
    await done(ann, "/v1/tables/leave")
    left = await get(ann, "/v1/rooms/block/tables")
    assert first["table_id"] not in [table["table_id"] for table in left.json()["tables"]]


async def test_a_seat_asked_for_again_with_its_id_is_the_same_answer_when_the_table_is_gone(
    ann_and_bea: list[Guest],
) -> None:
    ann, bea = ann_and_bea
    table_id = (await done(ann, "/v1/tables", id="offer", pool=TRIO))["table_id"]
    first = await done(bea, f"/v1/tables/{table_id}/seat", id="sit")
    for guest in ann_and_bea:
        await done(guest, "/v1/tables/leave")
    assert await done(bea, f"/v1/tables/{table_id}/seat", id="sit") == first
    problem(await post(bea, f"/v1/tables/{table_id}/seat", id="sit-again"), 409, "unknown-table")
    assert (await done(ann, "/v1/tables", id="offer", pool=TRIO))["table_id"] == table_id


async def test_house_bots_sit_down_at_an_offered_table_when_its_host_says_so(ann_and_bea: list[Guest]) -> None:
    ann, _ = ann_and_bea
    bots = [await Guest.arrive(ann.http, ann.url, house_key=HOUSE_KEY, house_bot=number) for number in (41, 42)]
    for bot in bots:
        await bot.connect()
        await done(bot, "/v1/stand-by")
    made = await done(ann, "/v1/tables", pool=TRIO)
    await done(ann, "/v1/queue/bots", strength="expert")
    assert (await ann.hear("your-table"))["table_id"] == made["table_id"]
    for bot in bots:
        await bot.socket.close()


async def test_what_cannot_be_done_at_a_public_table_is_refused(ann_and_bea: list[Guest]) -> None:
    ann, bea = ann_and_bea
    made = await done(ann, "/v1/tables", pool=TRIO)
    for answer in (
        await post(ann, "/v1/tables", pool=TRIO),
        await post(ann, "/v1/queue", **BLOCK),
        await post(ann, f"/v1/tables/{made['table_id']}/seat"),
        await post(bea, "/v1/tables/never-offered/seat"),
        await post(bea, "/v1/tables", pool={**TRIO, "target": 77}),
        await post(bea, "/v1/queue/widen", pool=TRIO),
        await post(bea, "/v1/queue/bots"),
    ):
        body = problem(answer, 409, answer.json()["code"])
        assert body["expected"]
        assert body["got"]
    await done(ann, "/v1/tables/leave")


@pytest.mark.parametrize(
    ("path", "query", "status", "code"),
    [
        ("/v1/rooms/chess/tables", {}, 404, "unknown-room"),
        ("/v1/rooms/block/tables", {"cursor": "made-up"}, 422, "bad-cursor"),
        ("/v1/rooms/block/tables", {"cursor": "x" * 300}, 422, "bad-request"),
        ("/v1/rooms/block/tables", {"limit": 101}, 422, "bad-request"),
        ("/v1/rooms/block/tables", {"state": "closed"}, 422, "bad-request"),
        ("/v1/queue", {}, 404, "not-queued"),
    ],
)
async def test_a_bad_question_is_answered_with_what_is_wrong(
    ann_and_bea: list[Guest], path: str, query: dict[str, Any], status: int, code: str
) -> None:
    problem(await get(ann_and_bea[0], path, **query), status, code)


async def test_a_room_that_is_not_there_cannot_be_followed(ann_and_bea: list[Guest]) -> None:
    ann, _ = ann_and_bea
    await ann.say(type="follow-room", preset="chess")
    error = await ann.hear("error")
    assert (error["code"], error["got"]) == ("unknown-room", "chess")
    await ann.say(type="unfollow-room", preset="block")
    await ann.say(type="ping", id="p")
    await ann.hear("pong")


# ---- the queue


async def test_who_waits_is_told_how_the_ticket_stands_and_a_yes_to_an_offer_starts_the_match(
    ann_and_bea: list[Guest],
) -> None:
    ann, bea = ann_and_bea
    wide, narrow = {"preset": "duel-draw", "target": 250}, {"preset": "duel-draw", "target": 500}
    await done(ann, "/v1/queue", **wide)
    alone = await ann.hear("queue-status")
    assert (alone["why"]["code"], alone["waiting"], alone["offers"]) == ("nobody-else", 1, [])
    await done(bea, "/v1/queue", **narrow)
    told = (await ann.hear("queue-status"))["offers"]
    assert [(offer["pool"]["target"], offer["missing"]) for offer in told] == [(500, 0)]
    asked = (await get(ann, "/v1/queue")).json()
    assert asked["offers"] == told
    await done(ann, "/v1/queue/widen", pool=narrow)
    for guest in ann_and_bea:
        await guest.hear("your-table")
    problem(await get(ann, "/v1/queue"), 404, "not-queued")


async def test_who_loses_the_connection_is_passed_over_until_it_is_back(ann_and_bea: list[Guest]) -> None:
    ann, bea = ann_and_bea
    for guest in ann_and_bea:
        await done(guest, "/v1/queue", preset="party", seats=3, target=200)
    assert await waiting_seen_by(bea, 2) == "too-few"
    await ann.socket.close()
    assert await waiting_seen_by(bea, 1) == "nobody-else"
    await ann.connect()
    assert await waiting_seen_by(bea, 2) == "too-few"
    for guest in ann_and_bea:
        await done(guest, "/v1/queue/leave")


async def waiting_seen_by(guest: Guest, number: int) -> str:
    """Why there is no match yet, as soon as so many wait."""
    while True:
        status = await guest.hear("queue-status")
        if status["waiting"] == number:
            return str(status["why"]["code"])


# ---- one's own tables


async def test_the_last_fifty_finished_tables_are_ones_own_the_newest_first(
    ann_and_bea: list[Guest], redis_url: str
) -> None:
    ann, bea = ann_and_bea
    seats = (Reservation(account=ann.account), Reservation(account=bea.account))
    cache = ProjectorsCache(redis_url)
    tables = [FinishedTable(table_id=f"t{number}", region="eu", at=number, seats=seats) for number in range(60)]
    for _ in range(2):
        await cache.write_finished(tables)
    await cache.close()
    mine = (await get(ann, "/v1/me/tables")).json()
    assert [table["table_id"] for table in mine["finished"]] == [f"t{number}" for number in range(59, 9, -1)]
    assert mine["names"] == {one.account: fallback_name(one.account) for one in (ann, bea)}


async def test_a_finished_table_that_cannot_be_read_is_left_out(ann_and_bea: list[Guest], redis_url: str) -> None:
    ann, _ = ann_and_bea
    async with Redis.from_url(redis_url) as redis:
        await redis.zadd(f"finished:{ann.account}", {"{}": 5})
    assert (await get(ann, "/v1/me/tables")).json()["finished"] == []
