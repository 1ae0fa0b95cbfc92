"""A gateway that stops with a thousand sockets on it: they leave in a wave, go on elsewhere, and miss nothing."""

import asyncio
import json
from contextlib import AsyncExitStack
from itertools import pairwise

import httpx
import pytest
from tests.gateway.running import Guest, free_port, from_the_queue, gateway_settings, guests, running, until_open
from tests.gateway.served import come, serving
from tests.gateway.signed import access_token
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from contracts.api import YourTable
from gateway import server
from gateway.app import build

SOCKETS = 1000
SOCKETS_OF_EACH = 25
CONNECTING_MAX = 20
LEAVE_SECONDS = 1.0


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand clients in the gateway's own process, on a busy machine, take longer to hear a goodbye."""
    monkeypatch.setattr(server, "GOODBYE_SECONDS_MAX", 60)


class Onlooker:
    """Watches a table and comes back with its version; `seen` are the views that said what has happened, and `left_at`
    when its first connection was closed with `code`."""

    def __init__(self, account: str) -> None:
        self._token = access_token(account)
        self.seen: list[tuple[int, int]] = []
        self.version = 0
        self.code = 0
        self.left_at = 0.0
        self._socket: ClientConnection

    async def come(self, url: str, table_id: str) -> None:
        """Until the first view is here."""
        self._socket = await connect(
            f"ws{url.removeprefix('http')}/v1/ws", compression=None, ping_interval=None, open_timeout=60
        )
        for message in (
            {"type": "hello", "token": self._token},
            {"type": "watch", "table_id": table_id, "version": self.version},
        ):
            await self._socket.send(json.dumps(message))
        while not await self._hear():
            pass

    async def stay(self) -> None:
        """Until the gateway closes the connection."""
        try:
            while True:
                await self._hear()
        except ConnectionClosed as closed:
            self.left_at = asyncio.get_running_loop().time()
            self.code = closed.rcvd.code if closed.rcvd is not None else 0

    async def catch_up(self, version: int) -> None:
        while self.version < version:
            await self._hear()
        await self._socket.close()

    async def _hear(self) -> bool:
        """Whether it was a view."""
        message = json.loads(await self._socket.recv())
        if message["type"] != "view":
            return False
        if message["version"] > self.version:
            self.seen.append((message["from_version"], message["version"]))
            self.version = message["version"]
        return True


async def play(guest: Guest, table_id: str, enough: asyncio.Event) -> int:
    """Plays whenever it is this guest's turn; the newest version that it knows of when that is enough."""
    await guest.say(type="watch", table_id=table_id)
    await guest.command(table_id, {"type": "sit-down"})
    version = 0
    while not enough.is_set():
        try:
            message = json.loads(await asyncio.wait_for(guest.socket.recv(), 0.2))
        except TimeoutError:
            continue
        if message["type"] != "view":
            continue
        view, version = message["view"], max(version, message["version"])
        if view["legal"]:
            tile, _, end = view["legal"][0].partition("@")
            command = {"type": "play-tile", "turn": view["turn"], "tile": tile, "end": end or None}
            await guest.say(type="command", id=f"turn-{view['turn']}", table_id=table_id, command=command)
        elif view["status"] == "pausing" and not view["seats"][view["you"] - 1]["ready"]:
            command = {"type": "next-round", "round": view["round"]}
            await guest.say(type="command", id=f"next-{view['round']}", table_id=table_id, command=command)
    return version


async def come_all(onlookers: list[Onlooker], url: str, table_id: str) -> None:
    some = asyncio.Semaphore(CONNECTING_MAX)

    async def come(onlooker: Onlooker) -> None:
        async with some:
            await onlooker.come(url, table_id)

    await asyncio.gather(*(come(onlooker) for onlooker in onlookers))


@pytest.mark.timeout(300)
async def test_a_thousand_sockets_leave_in_a_wave_and_miss_nothing(
    gateway_url: str, kafka_bootstrap: str, redis_url: str, account_url: str, patience: None
) -> None:
    port, enough = free_port(), asyncio.Event()
    settings = gateway_settings(kafka_bootstrap, redis_url, account_url, port)
    leaving = build(settings.model_copy(update={"leave_seconds": LEAVE_SECONDS}))
    url = f"http://127.0.0.1:{port}"
    onlookers = [Onlooker(f"gdrain{number % (SOCKETS // SOCKETS_OF_EACH)}") for number in range(SOCKETS)]
    async with guests(gateway_url, 2) as people, AsyncExitStack() as stack:
        table_id = await from_the_queue(people)
        await stack.enter_async_context(running(leaving))
        await until_open(port)
        await come_all(onlookers, url, table_id)
        staying = [asyncio.create_task(onlooker.stay()) for onlooker in onlookers]
        playing = [asyncio.create_task(play(guest, table_id, enough)) for guest in people]
        while onlookers[-1].version < 8:
            await asyncio.wait(staying, timeout=0.05)
        draining = asyncio.create_task(stack.aclose())
        await asyncio.wait(staying, return_when=asyncio.FIRST_COMPLETED)
        await refused(url)
        await asyncio.wait(staying)
        await draining
        enough.set()
        newest = max(await asyncio.gather(*playing))
        await come_all(onlookers, gateway_url, table_id)
        await asyncio.gather(*(onlooker.catch_up(newest) for onlooker in onlookers))
    assert {onlooker.code for onlooker in onlookers} == {1001}
    times = sorted(onlooker.left_at for onlooker in onlookers)
    assert times[-1] - times[0] > LEAVE_SECONDS / 2
    assert times[SOCKETS // 2] - times[0] > LEAVE_SECONDS / 10  # a wave, no cliff
    for onlooker in onlookers:
        assert onlooker.version >= newest
        assert all(before[1] == after[0] for before, after in pairwise(onlooker.seen)), onlooker.seen


async def refused(url: str) -> None:
    """No new socket, and requests are still answered, on their last connection."""
    with pytest.raises(InvalidStatus) as turned_away:
        await connect(f"ws{url.removeprefix('http')}/v1/ws")
    response = turned_away.value.response
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert json.loads(response.body or b"")["code"] == "gateway-leaving"
    async with httpx.AsyncClient(base_url=url) as http:
        answer = await http.get("/v1/me", headers={"Authorization": f"Bearer {access_token('gdrain')}"})
    assert (answer.status_code, answer.headers["connection"]) == (200, "close")


async def test_all_that_was_told_before_goes_out_before_the_goodbye(patience: None) -> None:
    told = [f"t{number}" for number in range(20)]
    accounts = [f"gdrain{number % (SOCKETS // SOCKETS_OF_EACH)}" for number in range(SOCKETS)]
    async with serving(LEAVE_SECONDS) as (url, hub, leaving):
        some = asyncio.Semaphore(CONNECTING_MAX)

        async def arrive(account: str) -> ClientConnection:
            async with some:
                return await come(url, account)

        sockets = await asyncio.gather(*(arrive(account) for account in accounts))
        hearing = [asyncio.create_task(everything(socket)) for socket in sockets]
        for table_id in told:
            hub.tell(set(accounts), YourTable(table_id=table_id, region="eu"))
        await leaving.stop()
        heard = await asyncio.gather(*hearing)
    assert [ids for ids, _ in heard] == [told] * SOCKETS
    assert {code for _, code in heard} == {1001}


async def everything(socket: ClientConnection) -> tuple[list[str], int]:
    """All that one is told, and the code at the end."""
    heard: list[str] = []
    try:
        while True:
            heard.append(json.loads(await socket.recv())["table_id"])
    except ConnectionClosed as closed:
        return heard, closed.rcvd.code if closed.rcvd is not None else 0
