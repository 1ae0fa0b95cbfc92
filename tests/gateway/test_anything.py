"""Whatever a client puts into a field: what is wrong is refused, nothing breaks on our side, and a socket goes on."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, get_args

import httpx
from tests.contracts.test_examples import folder, tag
from tests.gateway.rooms import opened
from tests.gateway.running import Guest, from_somewhere

from contracts import api, queue_api, room, room_api

HALF = "\ud800"
"""Of a character: JSON can spell it, UTF-8 cannot."""
DEEP = json.loads("[" * 300 + "]" * 300)
ODD = (None, -1, 10**300, float("nan"), "", HALF, "x" * 5_000, [HALF], {HALF: HALF}, DEEP)
BODIES: dict[str, type[Any]] = {
    "/v1/guests": api.GuestRequest,
    "/v1/queue": api.QueueRequest,
    "/v1/queue/widen": queue_api.WidenRequest,
    "/v1/queue/bots": queue_api.BotsRequest,
    "/v1/queue/leave": api.LeaveQueueRequest,
    "/v1/stand-by": api.StandByRequest,
    "/v1/tables": queue_api.OfferTableRequest,
    "/v1/tables/t1/seat": queue_api.SeatRequest,
    "/v1/tables/leave": queue_api.SeatRequest,
    "/v1/private-rooms": room_api.OpenRoomRequest,
    "/v1/screens": room_api.ScreenRequest,
}
IN_A_ROOM = get_args(get_args(room.PersonInRoomCommand)[0])
MESSAGES = [each for each in get_args(get_args(api.FromClient)[0]) if each is not api.Hello]
SO_MANY = 12
"""Of what one guest may ask at once."""


def example(message: type[Any]) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((folder(message) / f"{tag(message)}.json").read_text())
    return body


def changed(body: Any) -> Iterator[Any]:
    """The body with something odd in the place of it or of one thing in it, or with something odd added to it."""
    yield from ODD
    if isinstance(body, dict):
        yield body | {HALF: HALF}
        for name, value in body.items():
            yield from (body | {name: odd} for odd in changed(value))


def shares(things: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (things[start : start + SO_MANY] for start in range(0, len(things), SO_MANY))


@asynccontextmanager
async def stranger(url: str) -> AsyncIterator[Guest]:
    """Somebody from somewhere else, so that nobody before counts."""
    headers = from_somewhere() | {"Content-Type": "application/json"}
    async with httpx.AsyncClient(base_url=url, timeout=20, headers=headers) as http:
        yield await Guest.arrive(http, url)


async def broken(guest: Guest, asked: Sequence[tuple[str, Any]]) -> list[tuple[str, str]]:
    """What of it was not understood, and what was said to it."""
    found = []
    for path, body in asked:
        answer = await guest.http.post(path, content=json.dumps(body), headers=guest.headers)
        if answer.status_code >= 500 or (answer.status_code >= 400 and "code" not in answer.json()):
            found.append((json.dumps(body)[:200], answer.text[:200]))
    return found


async def test_whatever_a_request_holds_is_done_or_refused(gateway_url: str) -> None:
    async def ask(asked: Sequence[tuple[str, Any]]) -> list[tuple[str, str]]:
        async with stranger(gateway_url) as guest:
            found = await broken(guest, asked)
            for what in ("queue", "tables"):  # or later tests' people are seated with this one
                await guest.http.post(f"/v1/{what}/leave", json={"id": f"left-{what}"}, headers=guest.headers)
            return found

    requests = [(path, body) for path, message in BODIES.items() for body in changed(example(message))]
    assert [each for found in await asyncio.gather(*map(ask, shares(requests))) for each in found] == []


async def test_whatever_a_room_is_asked_is_done_or_refused(gateway_url: str) -> None:
    async def ask(commands: Sequence[Any]) -> list[tuple[str, str]]:
        async with stranger(gateway_url) as guest:
            path = f"/v1/private-rooms/{await opened(guest)}"
            return await broken(guest, [(path, {"id": f"c{n}", "command": each}) for n, each in enumerate(commands)])

    commands = [body for command in IN_A_ROOM for body in changed(example(command))]
    assert [each for found in await asyncio.gather(*map(ask, shares(commands))) for each in found] == []


async def test_whatever_a_socket_is_told_it_goes_on(gateway_url: str) -> None:
    async def tell(messages: Sequence[Any]) -> None:
        async with stranger(gateway_url) as guest:
            await guest.connect()
            for message in messages:
                await guest.socket.send(json.dumps(message))
            await guest.say(type="ping", id="after-all-that")
            while (await guest.hear("pong"))["id"] != "after-all-that":
                pass
            await guest.socket.close()

    messages = [body for message in MESSAGES for body in changed(example(message))]
    await asyncio.gather(*map(tell, shares(messages)))
