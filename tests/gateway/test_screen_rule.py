"""A screen's token tries everything there is: what is not on the list of what it may do is refused."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any, get_args

import httpx
import pytest
from tests.contracts.test_examples import folder, tag
from tests.gateway.running import Guest, from_somewhere
from tests.gateway.test_api import problem

from contracts import api, table
from gateway.screen_rule import MAY_ASK, MAY_SAY

MESSAGES = get_args(get_args(api.FromClient)[0])
PLAYER_COMMANDS = get_args(get_args(table.PlayerCommand)[0])
IN_PATHS = {
    "code": "ABC234",
    "preset": "draw",
    "account": "somebody",
    "program": "p" * 27,
    "table_id": "t1",
    "session": "s" * 32,
    "token": "t" * 32,
}


def example(message: type[Any]) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((folder(message) / f"{tag(message)}.json").read_text())
    return body


@pytest.fixture
async def screen(gateway_url: str) -> AsyncIterator[Guest]:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=10, headers=from_somewhere()) as http:
        token = (await http.post("/v1/screens", json={})).json()["token"]
        found = Guest(http, gateway_url, "", token)
        await found.connect()
        yield found
        await found.socket.close()


async def test_every_route_but_those_on_the_list_is_closed_to_screens(screen: Guest) -> None:
    paths = (await screen.http.get("/v1/openapi.json")).json()["paths"]
    tried = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    assert len(tried) >= 20
    for method, template in tried:
        path = re.sub(r"{(\w+)}", lambda found: IN_PATHS[found[1]], template)
        answer = await screen.http.request(method, path, json={"id": "a"}, headers=screen.headers)
        if (method, template) in MAY_ASK:
            assert answer.status_code < 500
        else:
            problem(answer, 403, "screen-only")
    assert {ask for ask in MAY_ASK if ask[1].startswith("/v1/private")} <= set(tried)


async def test_a_screen_may_do_nothing_by_any_other_spelling_of_a_path_or_scheme(screen: Guest) -> None:
    for headers in ({"Authorization": f"bearer {screen.token}"}, {"Authorization": f"BEARER  {screen.token}"}):
        problem(await screen.http.get("/v1/me", headers=headers), 403, "screen-only")
    answer = await screen.http.get("/v1/me/", headers=screen.headers)
    assert answer.status_code in (307, 403, 404)


@pytest.mark.parametrize("message", [message for message in MESSAGES if message is not api.Hello], ids=tag)
async def test_every_message_but_those_on_the_list_is_refused(screen: Guest, message: type[Any]) -> None:
    await screen.say(**example(message))
    if message in MAY_SAY:
        await screen.say(type="ping", id="still-there")
        assert (await screen.hear("pong"))["id"]
    else:
        assert (await screen.hear("error"))["code"] == "screen-only"


@pytest.mark.parametrize("command", PLAYER_COMMANDS, ids=tag)
async def test_every_command_of_a_player_is_refused(screen: Guest, command: type[Any]) -> None:
    await screen.say(type="command", id="1", table_id="t1", command=example(command))
    assert (await screen.hear("error"))["code"] == "screen-only"
