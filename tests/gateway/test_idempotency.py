"""What is sent twice under one key, on an API of its own; the whole one's POSTs are gone through in `test_posts`."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from redis.asyncio import Redis
from tests.gateway.signed import OTHER_KEY, access_token, tokens
from tests.memory_log import HandClock

from bus.clock import BrokerTime
from contracts.message import CommandId, StrictMessage
from gateway import problems
from gateway.body_limit import BodyLimit
from gateway.client_address import ClientAddress
from gateway.codes import Code
from gateway.ended import Ended
from gateway.idempotency import HEADER, Idempotency, Posts
from gateway.kept_answers import KeptAnswers
from gateway.problems import problem


class Wanted(StrictMessage):
    color: str = "red"


class Ordered(StrictMessage):
    id: CommandId
    color: str = "red"


class NoTokens:
    """Nobody here has one."""


class Shop:
    """What it was asked to make; `trouble` is raised instead, `open` lets those go on who wait for it."""

    def __init__(self, redis: Redis) -> None:
        self.made: list[str] = []
        self.trouble: Exception | None = None
        self.entered, self.open = asyncio.Event(), asyncio.Event()
        self.open.set()
        routes = APIRouter(prefix="/v1")

        @routes.post("/things", status_code=201)
        async def make(wanted: Wanted) -> dict[str, int | str]:
            self.entered.set()
            await self.open.wait()
            if self.trouble is not None:
                raise self.trouble
            self.made.append(wanted.color)
            return {"number": len(self.made), "color": wanted.color}

        @routes.post("/orders/{shop}")
        async def order(shop: str, wanted: Ordered) -> dict[str, str]:
            self.made.append(wanted.id)
            return {"id": wanted.id, "shop": shop}

        @routes.get("/things")
        async def things() -> list[str]:
            return self.made

        self.api = FastAPI()
        self.api.state.tokens = NoTokens()
        problems.install(self.api)
        addresses = ClientAddress(0)
        kept = KeptAnswers(redis, secrets.token_bytes(32), HandClock())
        self.api.add_middleware(Idempotency, posts=Posts([routes]), kept=kept, addresses=addresses)
        self.api.add_middleware(BodyLimit)
        self.api.include_router(routes)
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.api, raise_app_exceptions=False), base_url="http://shop"
        )

    async def post(self, path: str, key: str | None, body: Any, token: str | None = None) -> httpx.Response:
        headers = {HEADER: key} if key is not None else {}
        proof = {"authorization": f"Bearer {token}"} if token is not None else {}
        return await self.http.post(path, json=body, headers=headers | proof)


@pytest.fixture
async def shop(redis_url: str) -> AsyncIterator[Shop]:
    redis = Redis.from_url(redis_url)
    yield Shop(redis)
    await redis.aclose()


def refused(answer: httpx.Response, status: int, code: str) -> bool:
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    return (answer.status_code, body["status"], body["code"]) == (status, status, code)


KEY = "0b8c6b4e-6a2f-4d6e-9f43-000000000001"


# ---- where there is no id


async def test_the_same_request_with_the_same_key_is_done_once_and_answered_twice(shop: Shop) -> None:
    first, again = [await shop.post("/v1/things", KEY, {"color": "blue"}) for _ in range(2)]
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (201, first.json())
    assert first.headers["content-type"] == again.headers["content-type"] == "application/json"
    assert "idempotency-replayed" not in first.headers
    assert (again.headers["idempotency-replayed"], again.headers["age"]) == ("true", "0")
    assert shop.made == ["blue"]


async def test_whose_session_ended_by_the_request_gets_its_answer_again_and_nobody_else_does(shop: Shop) -> None:
    clock = HandClock()
    ended = Ended(BrokerTime(clock))
    shop.api.state.tokens = tokens(ended=ended)
    first = await shop.post("/v1/things", KEY, {"color": "blue"}, access_token("g1"))
    ended.deleted("g1", clock.wall())
    again = await shop.post("/v1/things", KEY, {"color": "blue"}, access_token("g1"))
    assert (again.headers["idempotency-replayed"], again.json()) == ("true", first.json())
    for token in (access_token("g2"), access_token("g1", OTHER_KEY), access_token("g1", exp=1), None):
        await shop.post("/v1/things", KEY, {"color": "blue"}, token)
    assert len(shop.made) == 3, "of g2, and of whoever cannot prove anything, once"


async def test_what_was_said_to_a_session_is_not_said_to_a_personal_token_of_the_account(shop: Shop) -> None:
    shop.api.state.tokens = tokens()
    of_session, of_token = access_token("g1"), access_token("g1", sid="t" * 32, scopes=["play"])
    for proof in (of_session, of_token, access_token("g1")):
        await shop.post("/v1/things", KEY, {"color": "blue"}, proof)
    assert len(shop.made) == 2, "of each of them once, whichever access token it has by now"


async def test_without_a_key_or_with_another_it_is_done_again(shop: Shop) -> None:
    for key in (None, None, KEY, KEY + "-b"):
        assert (await shop.post("/v1/things", key, {})).status_code == 201
    assert len(shop.made) == 4


async def test_a_key_that_comes_again_with_another_body_is_refused(shop: Shop) -> None:
    await shop.post("/v1/things", KEY, {"color": "blue"})
    assert refused(await shop.post("/v1/things", KEY, {"color": "green"}), 422, "idempotency-key-reused")
    assert shop.made == ["blue"]


async def test_who_asks_again_meanwhile_is_told_to_wait(shop: Shop) -> None:
    shop.open.clear()
    first = asyncio.create_task(shop.post("/v1/things", KEY, {}))
    await shop.entered.wait()
    assert refused(await shop.post("/v1/things", KEY, {"color": "green"}), 422, "idempotency-key-reused")
    under_way = await shop.post("/v1/things", KEY, {})
    assert refused(under_way, 409, "idempotency-under-way")
    assert under_way.headers["retry-after"] == "1"
    shop.open.set()
    assert (await first).status_code == 201
    assert (await shop.post("/v1/things", KEY, {})).json() == (await first).json()
    assert len(shop.made) == 1


@pytest.mark.parametrize(
    ("trouble", "status"),
    [
        (problem(429, Code.TOO_MANY_REQUESTS, "things", "few", "more"), 429),
        (problem(503, Code.CODES_UNAVAILABLE, "code", "one", "none"), 503),
        (RuntimeError("a bug"), 500),
    ],
    ids=["refused", "unavailable", "broken"],
)
async def test_what_was_not_done_may_be_tried_again(shop: Shop, trouble: Exception, status: int) -> None:
    shop.trouble = trouble
    assert (await shop.post("/v1/things", KEY, {})).status_code == status
    shop.trouble = None
    assert (await shop.post("/v1/things", KEY, {})).status_code == 201
    assert len(shop.made) == 1


async def test_a_malformed_body_is_not_remembered(shop: Shop) -> None:
    assert refused(await shop.post("/v1/things", KEY, {"colour": "blue"}), 422, "bad-request")
    assert (await shop.post("/v1/things", KEY, {"color": "blue"})).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "a b", "ä" * 20, "x" * 65, "0123456789abcde", '"quoted-and-long-enough"'])
async def test_a_key_is_long_enough_not_to_be_met_by_chance_and_plain(shop: Shop, key: str) -> None:
    answer = await shop.http.post("/v1/things", json={}, headers={HEADER.encode(): key.encode()})
    assert refused(answer, 422, "bad-idempotency-key")
    assert shop.made == []


async def test_two_keys_are_none(shop: Shop) -> None:
    answer = await shop.http.post("/v1/things", json={}, headers=[(HEADER, KEY), (HEADER, KEY)])
    assert refused(answer, 422, "bad-idempotency-key")


async def test_without_valkey_nothing_is_done_and_that_is_said() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    shop = Shop(redis)
    answer = await shop.post("/v1/things", KEY, {})
    assert refused(answer, 503, "idempotency-unavailable")
    assert answer.headers["retry-after"] == "1"
    assert "nothing was done" in answer.json()["detail"]
    assert shop.made == []
    assert (await shop.post("/v1/things", None, {})).status_code == 201
    assert (await shop.post("/v1/orders/x", "a", {})).status_code == 200
    await redis.aclose()


# ---- where there is one


async def test_the_key_is_the_id_of_a_body_without_one(shop: Shop) -> None:
    answer = await shop.post("/v1/orders/x", "short", {"color": "blue"})
    assert (answer.status_code, answer.json()) == (200, {"id": "short", "shop": "x"})
    assert refused(await shop.post("/v1/orders/x", None, {"color": "blue"}), 422, "bad-request")


async def test_both_have_to_agree(shop: Shop) -> None:
    assert (await shop.post("/v1/orders/x", "a", {"id": "a"})).status_code == 200
    for other in ("b", 1, None, ["a"]):
        assert refused(await shop.post("/v1/orders/x", "a", {"id": other}), 422, "idempotency-key-differs")
    assert shop.made == ["a"]


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b'{"id":' * 2000, b'"text"', b'{"n":' + b"9" * 5000 + b"}"])
async def test_a_body_that_is_no_object_is_told_so_as_ever(shop: Shop, body: bytes) -> None:
    headers = {HEADER: "a", "Content-Type": "application/json"}
    assert refused(await shop.http.post("/v1/orders/x", content=body, headers=headers), 422, "bad-request")


# ---- elsewhere


async def test_other_methods_and_unknown_paths_know_no_key(shop: Shop) -> None:
    assert (await shop.http.get("/v1/things", headers={HEADER: "?"})).status_code == 200
    assert refused(await shop.post("/v1/nowhere", KEY, {}), 404, "not-found")
    assert refused(await shop.http.put("/v1/things", headers={HEADER: KEY}), 405, "method-not-allowed")
    assert json.loads((await shop.http.get("/v1/things")).text) == []
