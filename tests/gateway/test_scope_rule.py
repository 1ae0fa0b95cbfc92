"""A personal token tries everything there is: what its scopes do not have is refused."""

import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from tests.gateway.running import Guest, from_somewhere
from tests.gateway.signed import access_token
from tests.gateway.test_api import problem
from tests.gateway.test_screen_rule import IN_PATHS, MESSAGES, example
from tests.gateway.test_sockets import closes_with

from contracts import api
from contracts.account_api import SCOPES
from gateway.scope_rule import IN_ROOMS, MAY_ASK, OPEN


@pytest.fixture
async def http(gateway_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=10, headers=from_somewhere()) as client:
        yield client


def scoped(*scopes: str) -> str:
    """An account of its own, so that nobody's buckets are empty."""
    return access_token("".join(("gscope", *scopes)), scopes=list(scopes))


async def routes(http: httpx.AsyncClient) -> list[str]:
    paths = (await http.get("/v1/openapi.json")).json()["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


async def test_every_scope_opens_its_routes_and_no_others(http: httpx.AsyncClient) -> None:
    tried = await routes(http)
    assert len(tried) >= 40
    assert set(MAY_ASK) <= set(tried)
    for scopes in ((), ("play",), ("rooms",), ("account",)):
        headers = {"Authorization": f"Bearer {scoped(*scopes)}"}
        for route in tried:
            method, template = route.split()
            path = re.sub(r"{(\w+)}", lambda found: IN_PATHS[found[1]], template)
            answer = await http.request(method, path, json={}, headers=headers)
            if MAY_ASK.get(route) in scopes or route in OPEN:
                assert "scope-missing" not in answer.text, route
            else:
                told = problem(answer, 403, "scope-missing")
                needed = MAY_ASK.get(route)
                assert told["expected"] == (f"one with the scope {needed}" if needed else "one of a session"), route


async def test_no_scope_is_enough_for_what_is_a_persons_own(http: httpx.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {scoped(*SCOPES)}"}
    for method, path in (
        ("GET", "/v1/me/sessions"),
        ("DELETE", "/v1/me/sessions"),
        ("POST", "/v1/mail"),
        ("POST", "/v1/mail/use"),
        ("GET", "/v1/me/tokens"),
        ("POST", "/v1/me/tokens"),
        ("POST", "/v1/me/programs"),
        ("GET", "/v1/me/export"),
        ("DELETE", "/v1/me"),
    ):
        told = problem(await http.request(method, path, json={}, headers=headers), 403, "scope-missing")
        assert told["expected"] == "one of a session"


async def test_another_spelling_of_a_scheme_opens_nothing_more(http: httpx.AsyncClient) -> None:
    for scheme in ("bearer", "BEARER", "BEARER "):
        headers = {"Authorization": f"{scheme} {scoped('rooms')}"}
        problem(await http.get("/v1/me", headers=headers), 403, "scope-missing")


@pytest.mark.parametrize("scopes", [(), ("rooms",), ("account",), ("rooms", "account")])
async def test_a_socket_needs_the_scope_play(gateway_url: str, scopes: tuple[str, ...]) -> None:
    told, closed_with = await closes_with(gateway_url, api.Hello(token=scoped(*scopes)).model_dump_json())
    assert ([message["code"] for message in told], closed_with) == (["scope-missing"], 4403)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__name__)
async def test_private_rooms_and_talk_need_the_scope_rooms(
    http: httpx.AsyncClient, gateway_url: str, message: type[Any]
) -> None:
    codes = {}
    for scopes in (("play",), ("play", "rooms")):
        guest = Guest(http, gateway_url, "", scoped(*scopes))
        await guest.connect()
        await guest.say(**example(message))
        await guest.say(type="ping", id="still-there")
        heard = await guest.hear("error", "pong")
        codes[scopes] = heard.get("code")
        await guest.socket.close()
    assert (codes["play",] == "scope-missing") == (message in IN_ROOMS)
    assert codes["play", "rooms"] != "scope-missing"
