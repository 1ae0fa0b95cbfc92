"""All POSTs of the whole API, sent twice under one key."""

import secrets
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis
from tests.gateway.routes import all_routes
from tests.gateway.running import Guest, from_somewhere
from tests.gateway.signed import access_token

from gateway.idempotency import HEADER, has_id
from gateway.identity import ACCESS_SECONDS_MAX
from gateway.kept_answers import KEPT_SECONDS

KEPT = {
    "/v1/guests",
    "/v1/session/renew",
    "/v1/mail",
    "/v1/mail/use",
    "/v1/screens",
    "/v1/private-rooms/{code}/screens",
}
"""Bodies without an `id`: their answers are kept."""


def test_every_post_has_an_id_in_its_body_or_its_answer_is_kept() -> None:
    routes = [route for route in all_routes() if route.methods == {"POST"}]
    assert len(routes) >= 19
    assert {route.path for route in routes if not has_id(route)} == KEPT


@pytest.fixture
async def http(gateway_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=30, headers=from_somewhere()) as client:
        yield client


async def twice(http: httpx.AsyncClient, path: str, body: dict[str, Any], **headers: str) -> list[httpx.Response]:
    key = {HEADER: secrets.token_hex(16)}
    return [await http.post(path, json=body, headers=key | headers) for _ in range(2)]


async def test_a_guest_who_asks_again_is_the_same_guest_and_nobody_else_is(http: httpx.AsyncClient) -> None:
    first, again = await twice(http, "/v1/guests", {})
    assert (first.status_code, again.status_code) == (201, 201), first.text
    assert first.json() == again.json()
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["cache-control"] == "no-store"
    other, _ = await twice(http, "/v1/guests", {})
    assert other.json()["account"] != first.json()["account"]


async def test_a_guests_key_is_of_use_to_nobody_elsewhere(http: httpx.AsyncClient) -> None:
    key = {HEADER: secrets.token_hex(16)}
    mine = await http.post("/v1/guests", json={}, headers=key)
    theirs = await http.post("/v1/guests", json={}, headers=key | from_somewhere())
    assert theirs.status_code == 201
    assert theirs.json()["account"] != mine.json()["account"]


async def test_a_renewal_and_a_screen_are_made_once(http: httpx.AsyncClient) -> None:
    guest = (await http.post("/v1/guests", json={})).json()
    for path, body in (("/v1/session/renew", {"secret": guest["secret"]}), ("/v1/screens", {})):
        first, again = await twice(http, path, body)
        assert first.is_success, first.text
        assert (first.status_code, first.json()) == (again.status_code, again.json())


async def test_an_answer_is_kept_for_a_day_and_a_renewed_token_for_as_long_as_it_is_good(
    http: httpx.AsyncClient, redis_url: str
) -> None:
    guest = (await http.post("/v1/guests", json={})).json()
    async with Redis.from_url(redis_url) as redis:

        async def kept_for(path: str, body: dict[str, Any]) -> int:
            before = {key async for key in redis.scan_iter("kept:*")}
            await twice(http, path, body)
            [new] = {key async for key in redis.scan_iter("kept:*")} - before
            return int(await redis.ttl(new))

        assert 0 < await kept_for("/v1/session/renew", {"secret": guest["secret"]}) <= ACCESS_SECONDS_MAX
        assert ACCESS_SECONDS_MAX < await kept_for("/v1/screens", {}) <= KEPT_SECONDS


async def test_a_command_takes_the_key_for_its_id(http: httpx.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {access_token('g' + secrets.token_hex(8))}"}
    first, again = await twice(http, "/v1/queue", {"target": 100}, **headers)
    assert first.status_code == 200, first.text
    assert first.json() == again.json()
    assert first.json()["id"] == first.request.headers[HEADER]
    differs = await http.post("/v1/queue", json={"id": "another"}, headers=headers | {HEADER: "one"})
    assert (differs.status_code, differs.json()["code"]) == (422, "idempotency-key-differs")
    left = await http.post("/v1/queue/leave", json={}, headers=headers | {HEADER: "leave"})
    assert left.status_code == 200


async def test_nobody_is_let_in_by_a_kept_answer_whose_token_is_no_good(http: httpx.AsyncClient) -> None:
    code = "ABC234"
    bad = {"Authorization": "Bearer no.such.token"}
    for answer in await twice(http, f"/v1/private-rooms/{code}/screens", {"pairing": code}, **bad):
        assert (answer.status_code, answer.json()["code"]) == (401, "bad-token")


async def test_the_account_of_a_key_is_the_tokens(http: httpx.AsyncClient, gateway_url: str) -> None:
    """What one account has asked under a key is no other one's affair, at one address too."""
    key = {HEADER: secrets.token_hex(16)}
    one, other = await Guest.arrive(http, gateway_url), await Guest.arrive(http, gateway_url)
    tokens = [
        (await http.post("/v1/screens", json={}, headers=guest.headers | key)).json()["token"] for guest in (one, other)
    ]
    assert tokens[0] != tokens[1]
