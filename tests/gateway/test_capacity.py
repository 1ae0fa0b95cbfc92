"""A gateway as a process of its own that may have few files open."""

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle, islice
from pathlib import Path

import httpx
import pytest
from tests.gateway.running import Guest, free_port, from_somewhere, from_the_queue, guests, until_open
from tests.gateway.signed import access_token
from tests.keys import HOUSE_KEY, INNER_KEY, SIGNING_KEY, public_key
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from gateway.capacity import SHARE_OF_ADDRESS, SHARE_OF_ANYBODY, TOLD_MAX
from gateway.open_files import RESERVE

LOG = "gateway.log"
SOFT, HARD = 80, 192
SERVED = HARD - RESERVE
FEW_FILES = f"""
import resource, runpy
resource.setrlimit(resource.RLIMIT_NOFILE, ({SOFT}, {HARD}))
runpy.run_module("gateway", run_name="__main__")
"""


@pytest.fixture
async def process(
    gateway_url: str, kafka_bootstrap: str, redis_url: str, account_url: str, tmp_path: Path
) -> AsyncIterator[tuple[Process, str]]:
    """It listens at that ``http://…``; what it logs is in `LOG` of the test's folder."""
    port = free_port()
    environment = os.environ | {
        "KAFKA_BOOTSTRAP": kafka_bootstrap,
        "REDIS_URL": redis_url,
        "CAPICUA_GATEWAY_PORT": str(port),
        "CAPICUA_SIGNING_KEY": SIGNING_KEY.hex(),
        "CAPICUA_HOUSE_KEY": HOUSE_KEY,
        "CAPICUA_ACCOUNT_URL": account_url,
        "CAPICUA_ACCOUNT_PUBLIC_KEY": public_key().hex(),
        "CAPICUA_INNER_KEY": INNER_KEY,
        "CAPICUA_LEAVE_SECONDS": "0",
        "CAPICUA_PROXIES": "1",
    }
    with (tmp_path / LOG).open("wb") as log:
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", FEW_FILES, env=environment, stderr=log)
    try:
        await until_open(port)
        yield child, f"http://127.0.0.1:{port}"
    finally:
        if child.returncode is None:
            child.terminate()
        await child.wait()


@asynccontextmanager
async def sockets(people: list[Guest], count: int) -> AsyncIterator[list[Guest]]:
    """Theirs, all welcomed."""
    async with AsyncExitStack() as stack:
        of_each = islice(cycle(people), count)
        found = [Guest(person.http, person.url, person.account, person.token) for person in of_each]
        for one in found:
            await one.connect()
            stack.push_async_callback(one.socket.close)
        yield found


@asynccontextmanager
async def players(gateway_url: str, url: str) -> AsyncIterator[list[Guest]]:
    """Four people with seats at two tables, and with sockets at `gateway_url`; the gateway at `url` knows of them."""
    closing = httpx.AsyncClient(base_url=url, timeout=10, headers={"Connection": "close"})
    async with guests(gateway_url, 4) as people, closing as http:
        for pair in (people[:2], people[2:]):
            await from_the_queue(pair)
        here = [Guest(http, url, person.account, person.token) for person in people]
        for guest in here:
            while not (await http.get("/v1/me", headers=guest.headers)).json()["tables"]:
                pass  # it reads the same log
        yield here


async def test_a_full_gateway_says_so_goes_on_and_has_room_again(
    gateway_url: str, process: tuple[Process, str], tmp_path: Path
) -> None:
    child, url = process
    async with players(gateway_url, url) as people:
        guest = people[0]
        http = guest.http
        async with sockets(people, SERVED) as full:
            with pytest.raises(InvalidStatus) as refused:
                await connect("ws" + url.removeprefix("http") + "/v1/ws")
            response = refused.value.response
            assert (response.status_code, response.headers["retry-after"]) == (503, "1")
            assert json.loads(response.body or b"")["code"] == "gateway-full"
            answer = await http.get("/v1/me", headers=guest.headers)
            assert (answer.status_code, answer.json()["code"]) == (503, "gateway-full")
            assert answer.json()["expected"] == f"at most {SERVED} connections"
            await full[0].say(type="ping", id="still-there")
            assert (await full[0].hear("pong"))["id"] == "still-there"

            async with AsyncExitStack() as silent:
                crowd = [await asyncio.open_connection("127.0.0.1", httpx.URL(url).port) for _ in range(TOLD_MAX + 50)]
                for _, writer in crowd:
                    silent.callback(writer.close)
                ends = [asyncio.create_task(hung_up(reader)) for reader, _ in crowd]
                for end in ends:
                    silent.callback(end.cancel)
                async with asyncio.timeout(5):
                    for one in islice(asyncio.as_completed(ends), len(crowd) - TOLD_MAX):
                        await one
                await full[1].say(type="ping", id="in-the-crowd")
                assert (await full[1].hear("pong"))["id"] == "in-the-crowd"
        async with sockets(people, SERVED // 2):
            assert (await http.get("/v1/me", headers=guest.headers)).status_code == 200
    child.terminate()
    await child.wait()
    log = (tmp_path / LOG).read_bytes()
    (limits,) = [json.loads(line) for line in log.splitlines() if b'"open files"' in line]
    assert (limits["limit_was"], limits["limit"]) == (SOFT, HARD)
    assert b"Too many open files" not in log


async def hung_up(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(ConnectionError):
        await reader.read()


async def ends(guest: Guest) -> int:
    """The code that the socket is closed with."""
    with pytest.raises(ConnectionClosed) as closed:
        await guest.hear("nothing more")
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def test_the_last_places_are_for_people_with_a_seat(gateway_url: str, process: tuple[Process, str]) -> None:
    _, url = process
    room = int(SERVED * SHARE_OF_ANYBODY)
    async with players(gateway_url, url) as people, httpx.AsyncClient() as http:
        names = [f"onlooker{number}" for number in range(room // 30 + 1)]
        onlookers = [Guest(http, url, name, access_token(name)) for name in names]
        async with sockets(onlookers, room) as watching:
            one_more = Guest(http, url, names[0], onlookers[0].token)
            with pytest.raises(ConnectionClosed) as refused:
                await one_more.connect()
            assert refused.value.rcvd is not None
            assert (refused.value.rcvd.code, "versions" in refused.value.rcvd.reason) == (4503, True)
            async with sockets(people, 4) as playing:
                assert [await ends(gone) for gone in watching[:4]] == [4503] * 4
                for stays in (*watching[4:], *playing):
                    await stays.say(type="ping", id="still-there")
                    assert (await stays.hear("pong"))["id"] == "still-there"


async def test_an_address_has_a_share_and_others_find_room(process: tuple[Process, str]) -> None:
    _, url = process
    share = int(SERVED * SHARE_OF_ADDRESS)
    here, elsewhere = from_somewhere(), from_somewhere()
    async with (
        httpx.AsyncClient(base_url=url, timeout=10, headers=here) as http,
        httpx.AsyncClient(base_url=url, timeout=10, headers=elsewhere) as another,
    ):
        people = [Guest(http, url, f"gshare{number}", access_token(f"gshare{number}")) for number in range(share)]
        async with sockets(people, share) as full:
            with pytest.raises(InvalidStatus) as refused:
                await people[0].connect()
            response = refused.value.response
            assert (response.status_code, response.headers["retry-after"]) == (503, "1")
            assert json.loads(response.body or b"")["expected"] == f"at most {share} of an address"
            assert (await http.get("/v1/me", headers=people[0].headers)).status_code == 200
            stranger = Guest(another, url, "gelsewhere", access_token("gelsewhere"))
            await stranger.connect()
            await stranger.socket.close()
            await full[0].socket.close()
            while not await comes_in(people[0]):
                pass  # the gateway has to hear first that the other is gone
            await people[0].socket.close()


async def comes_in(guest: Guest) -> bool:
    try:
        await guest.connect()
    except InvalidStatus:
        return False
    return True


async def test_connections_that_ask_nothing_more_keep_nobody_out(process: tuple[Process, str]) -> None:
    _, url = process
    async with AsyncExitStack() as idle, httpx.AsyncClient(base_url=url, timeout=10) as http:
        for _ in range(SERVED):
            reader, writer = await asyncio.open_connection("127.0.0.1", httpx.URL(url).port)
            idle.callback(writer.close)
            writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            assert b" 307 " in await reader.readuntil(b"\r\n\r\n")
        guest = Guest(http, url, "gheard", access_token("gheard"))
        await guest.connect()
        assert (await http.get("/v1/me", headers=guest.headers)).status_code == 200
        await guest.socket.close()


async def test_connections_that_ask_nothing_keep_nobody_out(process: tuple[Process, str]) -> None:
    _, url = process
    async with AsyncExitStack() as silent, httpx.AsyncClient(base_url=url, timeout=10) as http:
        for _ in range(2 * SERVED):
            _, writer = await asyncio.open_connection("127.0.0.1", httpx.URL(url).port)
            silent.callback(writer.close)
            writer.write(b"GET /v1/")  # half of a request is none
        guest = Guest(http, url, "gheard", access_token("gheard"))
        await guest.connect()
        await guest.say(type="ping", id="here")
        assert (await guest.hear("pong"))["id"] == "here"
        assert (await http.get("/v1/me", headers=guest.headers)).status_code == 200
        await guest.socket.close()
