"""A client that does not read, told apart from the network: what the web server would do is done by hand."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio import Redis
from starlette.websockets import WebSocket
from tests.gateway.signed import access_token, tokens

from bus.clock import BrokerTime, SystemClock
from bus.kafka import KafkaLog
from bus.records import TopicPartition
from bus.tasks import LoopTasks
from contracts.api import Hello, YourTable
from gateway.answers import Answers
from gateway.client_address import ClientAddress
from gateway.commands import Commands
from gateway.company import Company
from gateway.ended import Ended
from gateway.history import History
from gateway.hub import Hub
from gateway.identity import Tokens
from gateway.live_cache import LiveCache
from gateway.outbox import MESSAGES_MAX
from gateway.pace import Pace
from gateway.past import Origin, Past
from gateway.presence import Presence
from gateway.region import RegionHere
from gateway.room_followers import RoomFollowers
from gateway.session import Desk
from gateway.sockets import Door
from gateway.tables import Tables
from gateway.whereabouts import Whereabouts


class StuckClient:
    """Says hello and then neither reads nor speaks; the close frame still finds its way."""

    def __init__(self, token: str) -> None:
        self._hello = Hello(token=token).model_dump_json()
        self._said = 0
        self.stuck = asyncio.Event()
        self.closed: dict[str, Any] = {}

    async def receive(self) -> dict[str, Any]:
        self._said += 1
        if self._said == 1:
            return {"type": "websocket.connect"}
        if self._said == 2:
            return {"type": "websocket.receive", "text": self._hello}
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            assert json.loads(message["text"])["type"] == "welcome"
            self.stuck.set()
            await asyncio.get_running_loop().create_future()
        if message["type"] == "websocket.close":
            self.closed = message


class HeardClient:
    """Says hello and then what a test wants it to say; what it is told is kept."""

    def __init__(self, token: str) -> None:
        self._saying: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._saying.put_nowait({"type": "websocket.connect"})
        self.say(Hello(token=token).model_dump_json())
        self.told: list[str] = []
        self.welcomed = asyncio.Event()
        self.closed: dict[str, Any] = {}

    def say(self, text: str) -> None:
        self._saying.put_nowait({"type": "websocket.receive", "text": text})

    async def receive(self) -> dict[str, Any]:
        return await self._saying.get()

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.told.append(json.loads(message["text"])["type"])
            self.welcomed.set()
        if message["type"] == "websocket.close":
            self.closed = message


@asynccontextmanager
async def door(takes: Tokens) -> AsyncIterator[tuple[Door, Hub]]:
    """Of a gateway without servers."""
    clock, tasks, log = SystemClock(), LoopTasks(), KafkaLog("127.0.0.1:1", 2000)
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    cache = LiveCache(redis)
    past = Past(cache, History(log, clock, tasks), lambda _: Origin(TopicPartition("table.events", 0), None))
    time = BrokerTime(clock)
    tables, whereabouts = Tables(past, clock, time, tasks), Whereabouts()
    company = Company.of(redis, clock, time, tasks)
    rooms = company.desk(tables, whereabouts, tasks)
    region = RegionHere("eu", str.title)
    followers = RoomFollowers(region.tables, Presence(redis, "eu", "here"), company.names.learn, time, tasks)
    desk = Desk(tables, whereabouts, Commands({}, Answers()), clock, time, tasks, rooms, followers, Pace(clock))
    hub = Hub(lambda: 0.0)
    yield Door(takes, hub, desk, ClientAddress(0)), hub
    await cache.stop()


def serving(client: StuckClient | HeardClient, by: Door) -> "asyncio.Task[None]":
    socket = WebSocket({"type": "websocket", "path": "/", "headers": []}, client.receive, client.send)
    return asyncio.create_task(by.serve(socket))


async def test_a_client_that_does_not_read_is_closed_with_a_code_that_says_come_back() -> None:
    async with door(tokens()) as (found, hub):
        client = StuckClient(access_token("ann"))
        served = serving(client, found)
        await client.stuck.wait()
        for number in range(MESSAGES_MAX + 1):
            hub.tell(["ann"], YourTable(table_id=f"t{number}", region="eu"))
        await served
    assert client.closed["code"] == 4408
    assert "version" in client.closed["reason"]


async def test_nothing_more_is_heard_of_somebody_whose_session_has_ended() -> None:
    clock = SystemClock()
    ended = Ended(BrokerTime(clock))
    async with door(tokens(ended=ended)) as (found, _):
        client = HeardClient(access_token("ann"))
        served = serving(client, found)
        await client.welcomed.wait()
        ended.deleted("ann", clock.wall())
        client.say('{"type":"ping","id":"1"}')
        await served
    assert (client.closed["code"], client.told) == (4401, ["welcome"])
