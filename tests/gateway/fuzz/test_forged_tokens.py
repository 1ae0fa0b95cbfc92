"""No door opens to a token that the product has not signed for it, whatever is wrong about it."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from tests.gateway.fuzz.forging import Forger
from tests.gateway.fuzz.planted import Planted, somewhere
from tests.gateway.running import Guest, from_somewhere
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from capicua.server.processes import ACCOUNT_KEY, SIGNING_KEY

pytestmark = pytest.mark.servers
AT_ONCE = 20
NOT_GREETED = 4401


@dataclass(frozen=True, slots=True)
class Door:
    """A call of the API, as its description has it, that needs a token."""

    method: str
    path: str

    async def knock(self, http: httpx.AsyncClient, token: str) -> httpx.Response:
        headers = from_somewhere() | {"Authorization": f"Bearer {token}"}
        return await http.request(self.method, self.path, headers=headers, json={})


async def doors(http: httpx.AsyncClient) -> list[Door]:
    described: dict[str, dict[str, Any]] = (await http.get("/v1/openapi.json")).json()["paths"]
    return [
        Door(method.upper(), path.replace("{", "").replace("}", ""))
        for path, calls in described.items()
        for method, call in calls.items()
        if isinstance(call, dict) and call.get("security")
    ]


@pytest.fixture
async def forger(secret: Planted) -> Forger:
    async with httpx.AsyncClient(base_url=secret.url, headers=somewhere(), timeout=20) as http:
        token, other = [(await Guest.arrive(http, secret.url)).token for _ in range(2)]
    keys = [bytes.fromhex(secret.home.key(name.lower())) for name in (ACCOUNT_KEY, SIGNING_KEY)]
    return Forger(token, other, *keys)


async def opened(secret: Planted, doors: Sequence[Door], forged: Sequence[tuple[str, str]]) -> list[str]:
    """What was let in, and where."""
    asking = asyncio.Semaphore(AT_ONCE)

    async def knock(http: httpx.AsyncClient, door: Door, what: str, token: str) -> str | None:
        async with asking:
            answer = await door.knock(http, token)
        secret.check(f"the answer to {what}", answer.text)
        refused = (answer.status_code, answer.json().get("code")) == (401, "bad-token")
        return None if refused and token not in answer.text else f"{door}: {what}: {answer.text}"

    async with httpx.AsyncClient(base_url=secret.url, timeout=30) as http:
        tried = (knock(http, door, what, token) for door in doors for what, token in forged)
        return [each for each in await asyncio.gather(*tried) if each is not None]


async def test_no_call_takes_a_forged_token(secret: Planted, forger: Forger) -> None:
    async with httpx.AsyncClient(base_url=secret.url, headers=somewhere(), timeout=20) as http:
        found = await doors(http)
        assert (await Door("GET", "/v1/me").knock(http, forger.token)).status_code == 200
    forged = list(forger.forged())
    assert await opened(secret, [Door("GET", "/v1/me"), Door("POST", "/v1/mail")], forged) == []
    assert len(found) > 30
    assert await opened(secret, found, forged[:3]) == []
    secret.check_logs()


async def test_no_socket_takes_one(secret: Planted, forger: Forger) -> None:
    asking = asyncio.Semaphore(AT_ONCE)

    async def greeted(what: str, token: str) -> str | None:
        address = "ws" + secret.url.removeprefix("http") + "/v1/ws"
        async with asking, connect(address, compression=None, additional_headers=somewhere(), proxy=None) as socket:
            await socket.send(json.dumps({"type": "hello", "token": token}))
            said = json.loads(await socket.recv())
            try:
                await socket.recv()
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                if (said["type"], said.get("code"), code) == ("error", "bad-token", NOT_GREETED):
                    return None
        return f"{what}: {said}"

    assert [each for each in await asyncio.gather(*(greeted(*each) for each in forger.forged())) if each] == []
