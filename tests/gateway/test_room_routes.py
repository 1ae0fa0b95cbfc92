"""Private rooms, their codes and their people's names on a whole gateway."""

import asyncio
import re

from redis.asyncio import Redis
from tests.gateway.rooms import PARTY, ask, do, opened, path, shown, wrong_code
from tests.gateway.running import Guest, gateway, guests
from tests.gateway.test_api import problem

from contracts.names import fallback_name
from gateway import qr

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
    assert room["link"] is None


async def test_links_begin_with_the_address_that_somebody_has_come_by(three: list[Guest]) -> None:
    host = three[0]
    code = await opened(host)
    for name, base in {"dominoes.example": "http://dominoes.example", "no host": host.url}.items():
        picture = await host.http.get(f"{path(code)}/qr.svg", headers={"Host": name})
        assert picture.content == qr.svg(f"{base}/join/{code}")
    endless = await host.http.get(f"{path(code)}/qr.svg", headers={"Host": "d" * 5000})
    problem(endless, 422, "bad-request")


async def test_links_begin_with_the_public_address_wherever_they_are_shown(
    gateway_url: str, kafka_bootstrap: str, redis_url: str, account_url: str
) -> None:
    async with (
        gateway(kafka_bootstrap, redis_url, account_url, "https://dominoes.example/play") as url,
        guests(url, 1) as (host,),
    ):
        answer = await host.http.post("/v1/private-rooms", json={"id": "a", "ruleset": PARTY}, headers=host.headers)
        made = answer.json()
        link = f"https://dominoes.example/play/join/{made['code']}"
        assert made["link"] == link
        assert made["qr"] == f"https://dominoes.example/play/v1/private-rooms/{made['code']}/qr.svg"
        assert (await host.http.get(f"{path(made['code'])}/qr.png")).content == qr.png(link)
        screen = (await host.http.post("/v1/screens", json={"code": made["code"]})).json()
        television = Guest(host.http, url, "a screen", screen["token"])
        await television.connect()
        await television.say(type="follow-private-room")
        assert (await shown(television, lambda _: True))["link"] == link
        await television.socket.close()


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
    problem(await ask(friend, code, **arrange), 409, "not-host")
    problem(await ask(friend, wrong_code(), **arrange), 404, "unknown-code")
    assert "body" in problem(await ask(friend, code, type="open-room"), 422, "bad-request")["detail"]


async def test_whoever_is_in_no_such_room_has_left_it_already_and_learns_nothing_of_it(
    three: list[Guest],
) -> None:
    host, friend, stranger = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    for _ in range(2):
        await do(friend, code, type="leave-room")
    for nowhere in (code, wrong_code()):
        await do(stranger, nowhere, type="leave-room")
    for _ in range(2):
        await do(host, code, type="leave-room")


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
        told = set()
        for tried in (wrong_code(), code):
            answer = await guesser.http.get(path(tried), headers=guesser.headers)
            told.add(re.sub(r"\d+ s", "so long", problem(answer, 429, "too-many-wrong-codes")["detail"]))
            assert 0 < int(answer.headers["retry-after"]) <= 15 * 60
            problem(await ask(guesser, tried, type="enter-room"), 429, "too-many-wrong-codes")
            await guesser.say(type="follow-private-room", code=tried)
            assert (await guesser.hear("error"))["code"] == "too-many-wrong-codes"
            screen = await guesser.http.post("/v1/screens", json={"code": tried})
            problem(screen, 429, "too-many-wrong-codes")
        assert len(told) == 1
        assert (await host.http.get(path(code), headers=host.headers)).status_code == 200


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
    assert (await friend.http.get("/v1/me/name", headers=friend.headers)).json() == {"name": "Ada L."}
    assert (await host.http.get("/v1/me/name", headers=host.headers)).json() == {"name": fallback_name(host.account)}
    await shown(host, lambda room: room["people"][1]["name"] == "Ada L.")
    for name, status, refused in (
        ("\u200b", 422, "bad-name"),
        ("x" * 25, 422, "bad-request"),
        ("", 422, "bad-request"),
    ):
        answer = await friend.http.put("/v1/me/name", json={"name": name}, headers=friend.headers)
        problem(answer, status, refused)
