"""Bad input and its answers, on a whole gateway: the connection goes on wherever it can."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from tests.gateway.running import Guest, from_the_queue, guests
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from contracts.api import Hello
from gateway.hub import SOCKETS_MAX
from gateway.pace import LISTS_BURST, MESSAGES_BURST, MESSAGES_PER_SECOND
from gateway.session import WATCHES_MAX


@pytest.fixture
async def guest(gateway_url: str) -> AsyncIterator[Guest]:
    async with guests(gateway_url, 1) as (one,):
        yield one


async def goes_on(guest: Guest) -> bool:
    await guest.say(type="ping", id="still-there")
    return bool((await guest.hear("pong"))["id"] == "still-there")


@pytest.fixture
async def pair(gateway_url: str) -> AsyncIterator[list[Guest]]:
    async with guests(gateway_url, 2) as two:
        yield two


# ---- the door


async def listen(socket: ClientConnection, told: list[dict[str, Any]]) -> None:
    while True:
        told.append(json.loads(await socket.recv()))


async def closes_with(url: str, *frames: str | bytes) -> tuple[list[dict[str, Any]], int]:
    """What a fresh socket is told for its frames, and the code that it is closed with."""
    told: list[dict[str, Any]] = []
    async with connect("ws" + url.removeprefix("http") + "/v1/ws") as socket:
        for frame in frames:
            await socket.send(frame)
        with pytest.raises(ConnectionClosed) as closed:
            await listen(socket, told)
    assert closed.value.rcvd is not None
    return told, closed.value.rcvd.code


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (Hello(token="no.such.token").model_dump_json(), "bad-token"),
        (Hello(token="").model_dump_json(), "bad-token"),
        ('{"type":"ping","id":"1"}', "hello-expected"),
        ('{"type":"hello"}', "bad-message"),
        ("hello?", "bad-message"),
        (b"\x00\x01", "bad-message"),
        ('{"type":"dance"}', "unknown-message"),
        ('{"type":"hello","token":"' + "x" * 20_000 + '"}', "frame-too-large"),
    ],
)
async def test_who_does_not_say_hello_properly_is_told_why_and_let_go(
    gateway_url: str, frame: str | bytes, code: str
) -> None:
    told, closed_with = await closes_with(gateway_url, frame)
    assert ([message["code"] for message in told], closed_with) == ([code], 4401)
    assert told[0]["expected"]
    assert told[0]["got"]
    assert "no.such.token" not in json.dumps(told)


async def test_who_says_nothing_is_let_go_after_five_seconds(gateway_url: str) -> None:
    told, closed_with = await closes_with(gateway_url)
    assert ([message["code"] for message in told], closed_with) == (["hello-expected"], 4401)


# ---- bad frames


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("no json", "bad-message"),
        (b"\x00\x01", "bad-message"),
        ('{"type":"dance"}', "unknown-message"),
        ('{"type":"hello","token":"again"}', "bad-message"),
        ('{"type":"watch","table_id":"tnosuch"}', "unknown-table"),
        ('{"type":"command","id":"1","table_id":"tnosuch","command":{"type":"sit-down"}}', "unknown-table"),
        ('{"type":"command","id":"1","table_id":"t","command":{"type":"open-table"}}', "unknown-command"),
        ('{"type":"command","id":"1","table_id":"t","command":{"type":"play-tile","tile":"9-9"}}', "bad-message"),
        ('{"type":"ping","id":"' + "x" * 20_000 + '"}', "frame-too-large"),
        ('{"type":"ping","id":"' + "x" * 500_000 + '"}', "frame-too-large"),
    ],
)
async def test_a_bad_frame_is_answered_with_expected_and_got_and_the_connection_goes_on(
    guest: Guest, frame: str | bytes, code: str
) -> None:
    await guest.socket.send(frame)
    error = await guest.hear("error")
    assert error["code"] == code
    assert error["message"]
    assert error["expected"]
    assert error["got"]
    assert await goes_on(guest)


async def test_very_many_lists_are_refused_and_the_connection_goes_on(guest: Guest) -> None:
    for _ in range(LISTS_BURST + 1):
        await guest.say(type="follow-room", preset="block")
    error = await guest.hear("error")
    assert (error["code"], error["expected"]) == ("too-many-requests", "at most 1 list a second")
    assert await goes_on(guest)


async def test_who_opens_one_socket_too_many_loses_the_oldest(gateway_url: str, guest: Guest) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(SOCKETS_MAX):
            another = Guest(guest.http, gateway_url, guest.account, guest.token)
            await another.connect()
            stack.push_async_callback(another.socket.close)
        with pytest.raises(ConnectionClosed) as closed:
            await guest.hear("nothing more")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4409
        assert await goes_on(another)


async def test_a_flood_is_refused_before_the_log_and_the_connection_goes_on(pair: list[Guest]) -> None:
    table_id, guest, sent = await from_the_queue(pair), pair[0], 120
    for number in range(sent):
        await guest.say(type="command", id=f"{number}", table_id=table_id, command={"type": "return-to-seat"})
    messages = [await guest.hear("answer", "error") for _ in range(sent)]
    assert {message["id"] for message in messages} == {f"{number}" for number in range(sent)}
    refused = [message for message in messages if message["type"] == "error"]
    assert {message["code"] for message in refused} == {"too-many-requests"}
    assert len(refused) >= sent / 2
    while (await guest.command(table_id, {"type": "return-to-seat"}))["type"] == "error":
        pass  # it goes on as soon as the bucket has a drop in it


async def test_many_sockets_of_one_account_say_no_more_than_one(guest: Guest, pair: list[Guest]) -> None:
    sent, more = MESSAGES_BURST, [Guest(guest.http, guest.url, guest.account, guest.token) for _ in range(3)]
    async with AsyncExitStack() as stack:
        for another in more:
            await another.connect()
            stack.push_async_callback(another.socket.close)
        began, sockets = time.monotonic(), [guest, *more]
        for number in range(sent):
            for each in sockets:
                await each.say(type="ping", id=f"{number}")
        heard = [await each.hear("pong", "error") for each in sockets for _ in range(sent)]
        told = [message for message in heard if message["type"] == "pong"]
        assert len(told) <= MESSAGES_BURST + (time.monotonic() - began) * MESSAGES_PER_SECOND
        assert {message["code"] for message in heard if message["type"] == "error"} == {"too-many-requests"}
        assert await goes_on(pair[0])


async def test_more_watches_than_allowed_are_refused(gateway_url: str, guest: Guest) -> None:
    table_ids = []
    for _ in range(WATCHES_MAX + 1):
        async with guests(gateway_url, 2) as two:
            table_ids.append(await from_the_queue(two))
    for table_id in table_ids:
        await guest.say(type="watch", table_id=table_id)
    error = await guest.hear("error")
    assert (error["code"], error["table_id"]) == ("too-many-watches", table_ids[-1])
    await guest.say(type="unwatch", table_id=table_ids[0])
    await guest.say(type="watch", table_id=table_ids[-1])
    while (await guest.hear("view"))["table_id"] != table_ids[-1]:
        pass


# ---- at a table


async def test_who_has_no_seat_writes_nothing_to_the_log_of_a_table_that_nobody_watches(
    guest: Guest, pair: list[Guest]
) -> None:
    table_id = await from_the_queue(pair)
    answer = await guest.command(table_id, {"type": "leave-table"})
    assert (answer["type"], answer["code"], answer["table_id"]) == ("error", "not-seated", table_id)


async def test_who_has_no_seat_may_watch_but_not_act(guest: Guest, pair: list[Guest]) -> None:
    table_id = await from_the_queue(pair)
    await guest.say(type="watch", table_id=table_id)
    assert (await guest.hear("view"))["view"]["you"] is None
    answer = await guest.command(table_id, {"type": "leave-table"})
    assert (answer["type"], answer["code"], answer["table_id"]) == ("error", "not-seated", table_id)
    assert await goes_on(guest)


async def test_refusals_of_the_table_come_back_with_expected_and_got(pair: list[Guest]) -> None:
    table_id = await from_the_queue(pair)
    await pair[0].say(type="watch", table_id=table_id)
    for guest in pair:
        await guest.say(type="command", id="sit", table_id=table_id, command={"type": "sit-down"})
    view = (await pair[0].hear("view"))["view"]
    while view["status"] != "playing":
        view = (await pair[0].hear("view"))["view"]
    play = {"type": "play-tile", "turn": view["turn"], "tile": "6-6", "end": "left"}
    wrong_seat = await pair[2 - view["to_move"]].command(table_id, play)
    wrong_turn = await pair[view["to_move"] - 1].command(table_id, {**play, "turn": 99})
    assert (wrong_seat["code"], wrong_turn["code"]) == ("not-your-turn", "wrong-turn")
    for answer in (wrong_seat, wrong_turn):
        assert answer["message"]
        assert answer["expected"]
        assert answer["got"]


async def test_a_command_sent_twice_has_one_effect_and_the_same_answer(pair: list[Guest]) -> None:
    table_id = await from_the_queue(pair)
    first = await pair[0].command(table_id, {"type": "sit-down"}, "sit")
    assert first["code"] is None
    assert await pair[0].command(table_id, {"type": "sit-down"}, "sit") == first
    assert await pair[1].command(table_id, {"type": "sit-down"}, "sit") != first


async def test_who_resigns_loses_a_match_of_two_at_once(pair: list[Guest]) -> None:
    table_id = await from_the_queue(pair)
    early = await pair[0].command(table_id, {"type": "resign"})
    assert (early["type"], early["code"]) == ("answer", "not-started")
    for guest in pair:
        await guest.command(table_id, {"type": "sit-down"})
    assert (await pair[0].command(table_id, {"type": "resign"}))["code"] is None
    for guest in pair:
        await guest.say(type="watch", table_id=table_id)
        view = (await guest.hear("view"))["view"]
        assert (view["status"], view["result"]["reason"], view["result"]["winner"]) == ("finished", "resigned", [2])


async def test_a_client_that_comes_back_with_its_version_gets_what_it_missed(pair: list[Guest]) -> None:
    table_id = await from_the_queue(pair)
    away, stays = pair
    have = (await away.command(table_id, {"type": "sit-down"}))["version"]
    await away.say(type="watch", table_id=table_id)
    assert (await away.hear("view"))["version"] == have
    await away.socket.close()
    seated = await stays.command(table_id, {"type": "sit-down"})
    welcome = await away.connect()
    assert (welcome["account"], welcome["tables"][0]["table_id"]) == (away.account, table_id)

    await away.say(type="watch", table_id=table_id, version=have)
    missed = await away.hear("view")
    assert (missed["from_version"], missed["version"]) == (have, seated["version"])
    assert missed["events"][0]["type"] == "player-seated"
    await away.say(type="watch", table_id=table_id, version=missed["version"])
    nothing = await away.hear("view")
    assert (nothing["from_version"], nothing["version"]) == (missed["version"], missed["version"])
    assert nothing["events"] == []


async def test_both_sockets_of_one_account_get_the_views_of_its_seat(gateway_url: str, pair: list[Guest]) -> None:
    table_id = await from_the_queue(pair)
    phone = pair[0]
    laptop = Guest(phone.http, gateway_url, phone.account, phone.token)
    await laptop.connect()
    for socket in (phone, laptop):
        await socket.say(type="watch", table_id=table_id)
        assert (await socket.hear("view"))["view"]["you"] == 1
    await phone.command(table_id, {"type": "sit-down"})
    assert (await laptop.hear("view"))["view"]["seats"][0]["seated"]
    await laptop.socket.close()
