"""People in private rooms, over the public API."""

import secrets
from collections.abc import Callable
from typing import Any

import httpx
from tests.gateway.running import Guest

from contracts.room import CODE_LENGTH, CODE_LETTERS

PARTY = {"preset": "party", "seats": 2, "target": 50}
Body = dict[str, Any]


def path(code: str) -> str:
    return f"/v1/private-rooms/{code}"


async def opened(host: Guest, ruleset: Body = PARTY) -> str:
    body = {"id": secrets.token_hex(8), "ruleset": ruleset}
    answer = await host.http.post("/v1/private-rooms", json=body, headers=host.headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["code"])


async def ask(guest: Guest, code: str, **command: Any) -> httpx.Response:
    body = {"id": secrets.token_hex(8), "command": command}
    return await guest.http.post(f"/v1/private-rooms/{code}", json=body, headers=guest.headers)


async def do(guest: Guest, code: str, **command: Any) -> None:
    answer = await ask(guest, code, **command)
    assert answer.status_code == 200, answer.text


async def shown(guest: Guest, until: Callable[[Body], bool]) -> Body:
    """The room as it comes over the socket, once it is so."""
    room = await guest.hear("private-room")
    while not until(room):
        room = await guest.hear("private-room")
    return room


def wrong_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
