"""A client that does not read, told apart from the network: what the web server would do is done by hand."""

import asyncio
import json
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
from gateway.history import History
from gateway.hub import Hub
from gateway.live_cache import LiveCache
from gateway.outbox import MESSAGES_MAX
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


async def test_a_client_that_does_not_read_is_closed_with_a_code_that_says_come_back() -> None:
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
    desk = Desk(tables, whereabouts, Commands({}, Answers()), clock, time, tasks, rooms, followers)
    hub = Hub(lambda: 0.0)
    client = StuckClient(access_token("ann"))
    socket = WebSocket({"type": "websocket", "path": "/", "headers": []}, client.receive, client.send)
    serving = asyncio.create_task(Door(tokens(), hub, desk, ClientAddress(0)).serve(socket))
    await client.stuck.wait()
    for number in range(MESSAGES_MAX + 1):
        hub.tell(["ann"], YourTable(table_id=f"t{number}", region="eu"))
    await serving
    assert client.closed["code"] == 4408
    assert "version" in client.closed["reason"]
    await cache.stop()
