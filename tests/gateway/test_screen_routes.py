"""Screens on a whole gateway."""

import asyncio
from typing import Any

import httpx
from tests.gateway.rooms import Body, do, opened, path, shown, wrong_code
from tests.gateway.running import Guest
from tests.gateway.test_api import problem


async def screen_of(guest: Guest, **wanted: Any) -> tuple[Guest, Body]:
    """A screen with an open socket, and what it was given."""
    answer = await guest.http.post("/v1/screens", json=wanted)
    assert answer.status_code == 201, answer.text
    screen = Guest(guest.http, guest.url, "", answer.json()["token"])
    await screen.connect()
    return screen, answer.json()


async def test_a_screen_with_the_rooms_code_shows_it_its_table_and_no_hand(three: list[Guest]) -> None:
    host, friend, _ = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    screen, given = await screen_of(host, code=code)
    assert (given["code"], given["pairing"]) == (code, None)
    assert (await screen.hear("screen-paired"))["code"] == code
    await screen.say(type="follow-private-room")
    await shown(screen, lambda room: room["screens"] == 1)
    await do(host, code, type="start-match")
    room = await shown(screen, lambda room: room["running"])
    await screen.say(type="watch", table_id=room["table_id"])
    view = (await screen.hear("view"))["view"]
    assert (view["you"], view["hand"], view["region"]) == (None, None, "private")
    await screen.socket.close()


async def test_a_screen_that_waits_is_paired_by_the_host_alone(three: list[Guest]) -> None:
    host, friend, stranger = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    screen, given = await screen_of(host)
    assert given["code"] is None
    await screen.say(type="follow-private-room")
    assert (await screen.hear("error"))["code"] == "not-paired"
    body = {"pairing": given["pairing"]}

    async def pair(guest: Guest, **wanted: str) -> httpx.Response:
        return await guest.http.post(f"{path(code)}/screens", json=body | wanted, headers=guest.headers)

    problem(await pair(stranger), 403, "not-in-room")
    problem(await pair(friend), 403, "not-host")
    problem(await pair(host, pairing=wrong_code()), 404, "unknown-code")
    assert (await pair(host)).json()["screens"] == 1
    assert (await screen.hear("screen-paired"))["code"] == code
    problem(await pair(host), 404, "unknown-code")
    await screen.say(type="follow-private-room")
    assert (await screen.hear("private-room"))["code"] == code
    await screen.socket.close()
    welcome = await screen.connect()
    assert welcome["tables"] == []
    assert (await screen.hear("screen-paired"))["code"] == code
    await screen.socket.close()


async def test_a_host_who_guesses_at_screens_is_stopped_like_anybody_who_guesses(three: list[Guest]) -> None:
    host = three[0]
    code = await opened(host)
    given = (await host.http.post("/v1/screens", json={})).json()

    async def pair(pairing: str) -> httpx.Response:
        return await host.http.post(f"{path(code)}/screens", json={"pairing": pairing}, headers=host.headers)

    for _ in range(10):
        problem(await pair(wrong_code()), 404, "unknown-code")
    for pairing in (wrong_code(), given["pairing"]):
        problem(await pair(pairing), 429, "too-many-wrong-codes")


async def test_a_screen_shows_no_other_room_and_no_other_table(three: list[Guest]) -> None:
    host, other, _ = three
    code, others = await opened(host), await opened(other, {"preset": "draw", "seats": 2})
    screen, given = await screen_of(host, code=code)
    await screen.say(type="follow-private-room", code=others)
    assert (await screen.hear("error"))["code"] == "screen-only"
    await screen.say(type="watch", table_id="01hf7yat000000000000000000")
    assert (await screen.hear("error"))["code"] == "screen-only"
    headers = {"Authorization": f"Bearer {given['token']}"}
    assert (await host.http.get(path(code), headers=headers)).status_code == 200
    for tried in (others, wrong_code()):
        problem(await host.http.get(path(tried), headers=headers), 403, "screen-only")
    await screen.socket.close()


async def test_five_hundred_screens_are_not_made_in_a_second(three: list[Guest]) -> None:
    answers = await asyncio.gather(*(three[0].http.post("/v1/screens", json={}) for _ in range(60)))
    assert [answer.status_code for answer in answers].count(429) >= 30
