"""Private rooms, their talk and their screens on a whole gateway."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis
from tests.gateway.running import Guest, guests
from tests.gateway.test_api import problem

from contracts.room import CODE_LETTERS
from gateway.names import fallback_name

PARTY = {"preset": "party", "seats": 2, "target": 50}
Body = dict[str, Any]


@pytest.fixture
async def three(gateway_url: str) -> AsyncIterator[list[Guest]]:
    async with guests(gateway_url, 3) as people:
        yield people


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
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(6))


# ---- rooms


async def test_a_room_is_opened_once_per_id_with_a_link_and_a_picture(three: list[Guest]) -> None:
    host = three[0]
    body = {"id": "a-room", "ruleset": PARTY}
    first = await host.http.post("/v1/private-rooms", json=body, headers=host.headers)
    again = await host.http.post("/v1/private-rooms", json=body, headers=host.headers)
    assert (first.status_code, first.json()) == (201, again.json())
    made = first.json()
    assert made["link"] == f"{host.url}/join/{made['code']}"
    assert made["qr"] == f"{host.url}/v1/private-rooms/{made['code']}/qr.svg"
    svg = await host.http.get(made["qr"])
    png = await host.http.get(made["qr"].replace("svg", "png"))
    assert (svg.headers["content-type"], png.headers["content-type"]) == ("image/svg+xml", "image/png")
    room = (await host.http.get(f"/v1/private-rooms/{made['code']}", headers=host.headers)).json()
    assert (room["host"], room["seats"][0]["account"], len(room["seats"])) == (host.account, host.account, 2)


async def test_options_that_no_room_can_have_are_refused(three: list[Guest]) -> None:
    body = {"id": "a", "ruleset": {"preset": "party", "seats": 9}}
    refused = problem(
        await three[0].http.post("/v1/private-rooms", json=body, headers=three[0].headers), 409, "bad-ruleset"
    )
    assert refused["expected"]


async def test_friends_meet_by_a_code_and_play(three: list[Guest]) -> None:
    host, friend, stranger = three
    code = await opened(host)
    await host.say(type="follow-private-room", code=code)
    assert (await shown(host, lambda _: True))["code"] == code
    await do(friend, code, type="enter-room")
    await friend.say(type="follow-private-room", code=code)
    room = await shown(host, lambda room: len(room["people"]) == 2)
    assert [seat["account"] for seat in room["seats"]] == [host.account, friend.account]
    assert room["people"][1]["name"] == fallback_name(friend.account)

    swapped = [{"account": friend.account}, {"account": host.account}]
    await do(host, code, type="arrange-seats", seats=swapped)
    await do(host, code, type="start-match")
    told = [await guest.hear("your-table") for guest in (host, friend)]
    assert told[0] == told[1]
    assert told[0]["region"] == f"room-{code.lower()}"
    table_id = told[0]["table_id"]
    await friend.say(type="follow-private-room", code=code)
    assert (await shown(friend, lambda room: room["running"]))["table_id"] == table_id
    await host.say(type="watch", table_id=table_id)
    assert (await host.hear("view"))["view"]["you"] == 2
    await stranger.say(type="watch", table_id=table_id)
    assert (await stranger.hear("error"))["code"] == "not-in-room"

    for guest in (host, friend):
        await guest.command(table_id, {"type": "sit-down"})
    await friend.command(table_id, {"type": "resign"})


async def test_only_people_in_the_room_may_command_it_and_only_its_host_most(three: list[Guest]) -> None:
    host, friend, stranger = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    arrange = {"type": "arrange-seats", "seats": [{"account": friend.account}, {"account": host.account}]}
    problem(await ask(stranger, code, **arrange), 403, "not-in-room")
    problem(await ask(stranger, code, type="leave-room"), 403, "not-in-room")
    problem(await ask(friend, code, **arrange), 409, "not-host")
    problem(await ask(friend, wrong_code(), **arrange), 404, "unknown-code")
    assert "body" in problem(await ask(friend, code, type="open-room"), 422, "bad-request")["detail"]


async def test_whoever_was_removed_does_not_come_back_and_sees_no_more(three: list[Guest]) -> None:
    host, friend, _ = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    await friend.say(type="follow-private-room", code=code)
    await shown(friend, lambda _: True)
    await do(host, code, type="remove-person", account=friend.account)
    assert (await friend.hear("error"))["code"] == "removed"
    problem(await ask(friend, code, type="enter-room"), 403, "removed")
    problem(await friend.http.get(f"/v1/private-rooms/{code}", headers=friend.headers), 403, "removed")
    await friend.say(type="follow-private-room", code=code)
    assert (await friend.hear("error"))["code"] == "removed"


async def test_a_room_that_the_last_one_has_left_is_closed(three: list[Guest]) -> None:
    host, friend, _ = three
    code = await opened(host)
    await friend.say(type="follow-private-room", code=code)
    await shown(friend, lambda _: True)
    await do(host, code, type="leave-room")
    assert (await shown(friend, lambda room: room["closed"]))["people"] == []
    problem(await host.http.get(f"/v1/private-rooms/{code}", headers=host.headers), 404, "unknown-code")


async def test_who_has_no_socket_any_more_is_shown_as_away_and_then_back(three: list[Guest], redis_url: str) -> None:
    host, friend, _ = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    await host.say(type="follow-private-room", code=code)
    await shown(host, lambda room: len(room["people"]) == 2)
    async with Redis.from_url(redis_url) as redis, asyncio.timeout(10):
        while not await redis.exists(f"presence:account:{friend.account}"):
            await friend.say(type="ping", id="here")
            await friend.hear("pong", "error")
    await friend.socket.close()
    await shown(host, lambda room: room["people"][1]["away"])
    await friend.connect()
    await shown(host, lambda room: not room["people"][1]["away"])


# ---- codes


async def test_who_guesses_codes_is_told_nothing_any_more_and_people_in_rooms_go_on(gateway_url: str) -> None:
    async with guests(gateway_url, 2) as (host, guesser):
        code = await opened(host)
        for _ in range(10):
            problem(await guesser.http.get(path(wrong_code()), headers=guesser.headers), 404, "unknown-code")
        for tried in (wrong_code(), code):
            answer = await guesser.http.get(path(tried), headers=guesser.headers)
            assert "wrong" not in problem(answer, 429, "too-many-wrong-codes")["detail"]
            assert 0 < int(answer.headers["retry-after"]) <= 15 * 60
            problem(await ask(guesser, tried, type="enter-room"), 429, "too-many-wrong-codes")
            await guesser.say(type="follow-private-room", code=tried)
            assert (await guesser.hear("error"))["code"] == "too-many-wrong-codes"
            screen = await guesser.http.post("/v1/screens", json={"code": tried})
            problem(screen, 429, "too-many-wrong-codes")
        assert (await host.http.get(path(code), headers=host.headers)).status_code == 200


def path(code: str) -> str:
    return f"/v1/private-rooms/{code}"


async def test_what_is_no_code_is_no_guess(three: list[Guest]) -> None:
    for text in ("abc234", "ABC", "ABCDEF1", "OOOOOO"):
        problem(await three[0].http.get(path(text), headers=three[0].headers), 422, "bad-request")


# ---- names


async def test_a_name_is_cleaned_and_everybody_in_the_room_sees_it(three: list[Guest]) -> None:
    host, friend, _ = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    await host.say(type="follow-private-room", code=code)
    await shown(host, lambda _: True)
    answer = await friend.http.put("/v1/me/name", json={"name": " Ada\u200b\u00a0 L. "}, headers=friend.headers)
    assert answer.json() == {"name": "Ada L."}
    await shown(host, lambda room: room["people"][1]["name"] == "Ada L.")
    for name, status, refused in (
        ("\u200b", 422, "bad-name"),
        ("x" * 25, 422, "bad-request"),
        ("", 422, "bad-request"),
    ):
        answer = await friend.http.put("/v1/me/name", json={"name": name}, headers=friend.headers)
        problem(answer, status, refused)


# ---- talk


async def test_people_in_a_room_talk_and_who_comes_in_hears_what_was_said(three: list[Guest]) -> None:
    host, friend, stranger = three
    code = await opened(host)
    await host.say(type="follow-private-room", code=code)
    await host.say(type="say", code=code, text="  is anybody\nthere? ")
    said = await host.hear("talk")
    assert (said["said_by"], said["text"], said["code"]) == (host.account, "is anybody there?", code)
    for guest in (friend, stranger):
        await guest.say(type="follow-private-room", code=code)
        await shown(guest, lambda _: True)
    await stranger.say(type="say", code=code, phrase="hello")
    assert (await stranger.hear("error"))["code"] == "not-in-room"
    await do(friend, code, type="enter-room")
    assert (await friend.hear("talk"))["text"] == "is anybody there?"
    await friend.say(type="say", code=code, phrase="hello")
    assert (await host.hear("talk"))["phrase"] == "hello"
    await stranger.say(type="ping", id="after-all-that")
    assert (await stranger.hear("talk", "pong"))["type"] == "pong"


async def test_at_a_table_there_are_phrases_for_those_with_a_seat_who_have_not_muted_each_other(
    three: list[Guest],
) -> None:
    host, friend, stranger = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    await do(stranger, code, type="enter-room")
    await do(host, code, type="start-match")
    table_id = (await host.hear("your-table"))["table_id"]
    for guest in three:
        await guest.say(type="watch", table_id=table_id)
        await guest.hear("view")
    await host.say(type="say", table_id=table_id, phrase="good-luck")
    for guest in (host, friend):
        assert (await guest.hear("talk"))["phrase"] == "good-luck"
    await friend.say(type="say", table_id=table_id, text="psst")
    assert (await friend.hear("error"))["code"] == "text-not-here"
    await stranger.say(type="say", table_id=table_id, phrase="hello")
    assert (await stranger.hear("error"))["code"] == "not-seated"

    muted = await host.http.put(f"/v1/me/mutes/{friend.account}", headers=host.headers)
    assert muted.json() == {"accounts": [friend.account]}
    await friend.say(type="say", table_id=table_id, phrase="oops")
    assert (await friend.hear("talk"))["phrase"] == "oops"
    assert (await host.http.delete(f"/v1/me/mutes/{friend.account}", headers=host.headers)).json() == {"accounts": []}
    await friend.say(type="say", table_id=table_id, phrase="again")
    assert (await host.hear("talk"))["phrase"] == "again"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({}, "bad-message"),
        ({"phrase": "hello", "text": "hello"}, "bad-message"),
        ({"phrase": "shut-up"}, "bad-message"),
        ({"text": "x" * 241}, "bad-message"),
        ({"text": "\u200b"}, "bad-message"),
        ({"phrase": "hello", "table_id": "t1"}, "bad-message"),
    ],
)
async def test_what_cannot_be_said_is_refused_and_the_connection_goes_on(
    three: list[Guest], words: Body, code: str
) -> None:
    room = await opened(three[0])
    await three[0].say(type="say", code=room, **words)
    assert (await three[0].hear("error"))["code"] == code
    await three[0].say(type="ping", id="still-there")
    assert (await three[0].hear("pong"))["id"] == "still-there"


async def test_five_things_in_ten_seconds_are_enough(three: list[Guest]) -> None:
    code = await opened(three[0])
    await three[0].say(type="follow-private-room", code=code)
    for _ in range(6):
        await three[0].say(type="say", code=code, phrase="hello")
    heard = [await three[0].hear("talk", "error") for _ in range(6)]
    assert [message.get("code") for message in heard].count("too-much-talk") == 1


# ---- screens


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
