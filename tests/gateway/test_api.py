"""The HTTP side of a whole gateway: every error is a problem document with a stable code."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from docs.api.generate import ROOT
from tests.gateway.rooms import opened
from tests.gateway.running import Guest, from_the_queue, guests
from tests.gateway.signed import access_token
from tests.keys import HOUSE_KEY

from gateway.body_limit import BODY_BYTES_MAX
from gateway.limits import REQUESTS


@pytest.fixture
async def http(gateway_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=10) as client:
        yield client


@pytest.fixture
async def guest(http: httpx.AsyncClient, gateway_url: str) -> Guest:
    return await Guest.arrive(http, gateway_url)


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem document of an answer."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body: dict[str, Any] = answer.json()
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code), body
    assert body["title"]
    assert body["detail"]
    return body


def wanted(**fields: Any) -> dict[str, Any]:
    return {"id": secrets.token_hex(8), **fields}


# ---- guests


async def test_a_guest_gets_an_account_and_a_token_that_proves_it(http: httpx.AsyncClient) -> None:
    answer = await http.post("/v1/guests", json={"bot": True})
    assert answer.status_code == 201
    headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    me = (await http.get("/v1/me", headers=headers)).json()
    assert (me["account"], me["region"], me["bot"], me["tables"]) == (answer.json()["account"], "eu", True, [])
    assert me["server_time"] > 1_600_000_000_000


async def test_the_house_key_makes_a_house_bot_and_a_wrong_one_makes_nothing(http: httpx.AsyncClient) -> None:
    answer = await http.post("/v1/guests", json={"house_key": HOUSE_KEY, "house_bot": 7})
    assert (answer.json()["account"], answer.json()["bot"]) == ("house-eu-7", True)
    for body in ({"house_key": "a guess"}, {"house_bot": 7}, {"house_key": "", "house_bot": 7}):
        refused = await http.post("/v1/guests", json=body)
        assert "a guess" not in problem(refused, 403, "wrong-house-key")["detail"]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer no.such.token"}, {"Authorization": "Basic eDp5"}])
async def test_a_request_without_a_good_token_is_refused(http: httpx.AsyncClient, headers: dict[str, str]) -> None:
    for answer in (
        await http.get("/v1/me", headers=headers),
        await http.post("/v1/queue", json=wanted(), headers=headers),
        await http.get("/v1/tables/t1/replay", headers=headers),
    ):
        assert "no.such.token" not in problem(answer, 401, "bad-token")["detail"]
        assert answer.headers["www-authenticate"] == "Bearer"


# ---- the queue


async def test_joining_twice_with_the_same_id_has_one_effect_and_the_same_answer(guest: Guest) -> None:
    body = wanted(target=100)
    first = await guest.http.post("/v1/queue", json=body, headers=guest.headers)
    again = await guest.http.post("/v1/queue", json=body, headers=guest.headers)
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (200, first.json())
    other = await guest.http.post("/v1/queue", json=wanted(target=100), headers=guest.headers)
    problem(other, 409, "already-queued")
    for _ in range(2):
        left = await guest.http.post("/v1/queue/leave", json=wanted(), headers=guest.headers)
        assert left.status_code == 200


async def test_a_refusal_of_the_lobby_says_what_was_expected_and_what_came(guest: Guest) -> None:
    answer = await guest.http.post("/v1/queue", json=wanted(target=77), headers=guest.headers)
    assert answer.status_code == 409
    body = problem(answer, 409, answer.json()["code"])
    assert body["expected"]
    assert body["got"]


@pytest.mark.parametrize(
    ("people", "pool", "clocks"),
    [
        (2, {"preset": "all-fives", "target": 250, "spinner": True}, [600_000, 600_000]),
        (4, {"preset": "party", "target": 150, "pairs": True}, None),
    ],
)
async def test_a_table_is_played_by_the_options_that_were_queued_for(
    gateway_url: str, people: int, pool: dict[str, Any], clocks: list[int] | None
) -> None:
    async with guests(gateway_url, people) as everyone:
        table_id = await from_the_queue(everyone, **pool)
        await everyone[0].say(type="watch", table_id=table_id)
        view = (await everyone[0].hear("view"))["view"]
        assert view["ruleset"] | pool == view["ruleset"]
        assert view["clocks"] == clocks
        assert [seat["strength"] for seat in view["seats"]] == [None] * people


async def test_another_region_is_refused_before_the_log(guest: Guest) -> None:
    body = problem(
        await guest.http.post("/v1/queue", json=wanted(region="mars"), headers=guest.headers), 422, "unknown-region"
    )
    assert (body["expected"], body["got"]) == ("eu", "mars")


@pytest.fixture
def western(guest: Guest) -> Guest:
    """Whose account another region has made."""
    return Guest(guest.http, guest.url, "gwest", access_token("gwest", region="us", bot=True, house=True))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/queue", {}),
        ("/v1/queue", {"region": "us"}),
        ("/v1/queue/widen", {"pool": {"preset": "draw"}}),
        ("/v1/queue/bots", {}),
        ("/v1/queue/leave", {}),
        ("/v1/stand-by", {}),
        ("/v1/tables", {"pool": {"preset": "draw"}}),
        ("/v1/tables/t1/seat", {}),
        ("/v1/tables/leave", {}),
    ],
)
async def test_who_is_at_home_in_another_region_waits_and_sits_down_there_alone(
    western: Guest, path: str, body: dict[str, Any]
) -> None:
    answer = await western.http.post(path, json=wanted(**body), headers=western.headers)
    told = problem(answer, 403, "other-region")
    assert (told["expected"], told["got"]) == ("an account of eu", "one of us")


async def test_who_is_at_home_in_another_region_may_look_and_come_into_private_rooms(western: Guest) -> None:
    me = await western.http.get("/v1/me", headers=western.headers)
    assert me.json()["region"] == "us"
    for path in ("/v1/rooms", "/v1/rooms/draw/tables", "/v1/me/tables"):
        assert (await western.http.get(path, headers=western.headers)).status_code == 200
    code = await opened(western)
    assert (await western.http.get(f"/v1/private-rooms/{code}", headers=western.headers)).status_code == 200
    await western.connect()
    await western.say(type="follow-room", preset="draw")
    assert (await western.hear("room-list"))["preset"] == "draw"
    await western.socket.close()


async def test_only_house_bots_may_stand_by(guest: Guest) -> None:
    problem(await guest.http.post("/v1/stand-by", json=wanted(), headers=guest.headers), 403, "house-only")


async def test_a_flood_of_requests_is_refused_before_the_log(guest: Guest) -> None:
    async def ask() -> str:
        answer = await guest.http.post("/v1/queue", json=wanted(target=77), headers=guest.headers)
        return str(answer.json()["code"])

    codes = await asyncio.gather(*(ask() for _ in range(60)))
    assert codes.count("too-many-requests") >= 20
    assert codes.count("bad-pool") >= REQUESTS.burst


# ---- replays


async def test_a_replay_is_for_those_who_played_and_for_matches_that_are_over(gateway_url: str) -> None:
    async with guests(gateway_url, 3) as (one, two, stranger):
        table_id = await from_the_queue([one, two])
        path = f"/v1/tables/{table_id}/replay"
        problem(await one.http.get(path, headers=one.headers), 409, "not-finished")
        problem(await one.http.get(path, headers=stranger.headers), 403, "not-a-participant")
        problem(await one.http.get("/v1/tables/tnosuch/replay", headers=one.headers), 404, "unknown-table")
        of_2023 = "/v1/tables/01hf7yat000000000000000000/replay"
        problem(await one.http.get(of_2023, headers=one.headers), 410, "table-retired")


# ---- what is no request of this API


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not-found"),
        ("GET", "/v2/me", 404, "not-found"),
        ("PUT", "/v1/queue", 405, "method-not-allowed"),
        ("PUT", "/v1/me", 405, "method-not-allowed"),
        ("GET", "/v1/ws", 404, "not-found"),
    ],
)
async def test_unknown_paths_and_methods_are_problems_too(
    http: httpx.AsyncClient, method: str, path: str, status: int, code: str
) -> None:
    problem(await http.request(method, path), status, code)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no json",
        b'{"id":"\xff"}',
        b'{"id":"a","seats":' + b"9" * 5_000 + b"}",
        b'{"id":' * 2_000,
        b"[]",
        b"{}",
        b'{"id":""}',
        b'{"id":"a:b"}',
        b'{"id":"a","seats":9}',
        b'{"id":"a","extra":1}',
        b'{"id":"a","preset":"DRAW"}',
        b'{"id":"a","pairs":"both"}',
        b'{"id":"a","strength":"godlike"}',
    ],
)
async def test_a_malformed_body_is_told_where_it_is_wrong(guest: Guest, body: bytes) -> None:
    headers = {**guest.headers, "content-type": "application/json"}
    answer = await guest.http.post("/v1/queue", content=body, headers=headers)
    assert "body" in problem(answer, 422, "bad-request")["detail"]


async def test_a_body_over_16_kib_is_not_read(http: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(BODY_BYTES_MAX // 1024 + 1):
            yield b" " * 1024

    problem(await http.post("/v1/guests", content=b" " * (BODY_BYTES_MAX + 1)), 413, "body-too-large")
    problem(await http.post("/v1/guests", content=endless()), 413, "body-too-large")


# ---- its own description


async def test_the_api_describes_itself_without_anything_from_elsewhere(http: httpx.AsyncClient) -> None:
    openapi = (await http.get("/v1/openapi.json")).json()
    assert {"/v1/guests", "/v1/queue", "/v1/queue/leave", "/v1/stand-by", "/v1/me"} <= set(openapi["paths"])
    queue = openapi["components"]["schemas"]["QueueRequest"]["properties"]
    assert {"preset", "seats", "target", "pairs", "spinner", "drawing", "bots", "strength"} <= set(queue)
    page = await http.get("/v1/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "/v1/tables/{table_id}/replay" in page.text
    assert "YourTable" in page.text
    assert "declares itself with <code>bot</code>" in page.text
    assert "Resign" in page.text
    assert "credited to your turns" in page.text
    assert page.text == (ROOT / "docs/api/index.html").read_text()
    assert openapi == json.loads((ROOT / "docs/api/openapi.json").read_text())
    asyncapi = (await http.get("/v1/asyncapi.json")).json()
    assert asyncapi == json.loads((ROOT / "docs/api/asyncapi.json").read_text())
