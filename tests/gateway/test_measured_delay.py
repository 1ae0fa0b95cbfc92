"""The measured delay in the commands of a whole gateway, and that nothing which a client says gets there."""

import json
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from tests.gateway.holding import Holding
from tests.gateway.running import SESSION_MS, Guest, from_the_queue, guests

from bus.kafka import KafkaLog
from bus.partitioning import partition_of
from bus.records import TopicPartition
from contracts import api
from contracts.envelope import CommandEnvelope
from contracts.table import PlayerCommand

CLAIM_OF_TIME = re.compile(r"(^|_)(at|ms|now|time|delay|deadline|latency|offset|lag)(_|$)")


class Commands:
    """What is in the logs of commands."""

    def __init__(self, log: KafkaLog) -> None:
        self._log = log

    async def of(self, decider: str, aggregate: str) -> dict[str, CommandEnvelope]:
        """Those to one aggregate, by their id."""
        topic = f"{decider}.commands"
        partition = TopicPartition(topic, partition_of(aggregate, await self._log.partition_count(topic)))
        begin, end = await self._log.bounds(partition)
        reader = self._log.reader("test")
        await reader.start([partition])
        reader.seek(partition, begin)
        found: dict[str, CommandEnvelope] = {}
        try:
            while begin < end:
                for record in (await reader.poll(100)).get(partition, ()):
                    begin = record.offset + 1
                    envelope = CommandEnvelope.model_validate_json(record.value or b"")
                    if envelope.aggregate == aggregate:
                        found[envelope.id] = envelope
        finally:
            await reader.stop()
        return found


@pytest.fixture
async def commands(kafka_bootstrap: str) -> AsyncIterator[Commands]:
    log = KafkaLog(kafka_bootstrap, SESSION_MS)
    yield Commands(log)
    await log.close()


@pytest.fixture
async def pair(gateway_url: str) -> AsyncIterator[list[Guest]]:
    async with guests(gateway_url, 2) as two:
        yield two


class Client(Holding):
    """A guest's second socket, which answers its pings when it likes."""

    async def hear_of(self, wanted: str) -> dict[str, Any]:
        """The next message with this type or id."""
        while True:
            message: dict[str, Any] = json.loads(await self.told())
            if wanted in (message["type"], message.get("id")):
                return message

    async def command(self, table_id: str, command_id: str, command: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Its answer or error."""
        frame = {"type": "command", "id": command_id, "table_id": table_id, "command": command, **more}
        self.say(json.dumps(frame))
        return await self.hear_of(command_id)


@asynccontextmanager
async def holding(guest: Guest) -> AsyncIterator[Client]:
    async with Client.connect("ws" + guest.url.removeprefix("http") + "/v1/ws") as client:
        client.say(json.dumps({"type": "hello", "token": guest.token}))
        await client.hear_of("welcome")
        yield client


async def test_a_command_over_a_socket_carries_its_delay_from_the_first_one_on(
    pair: list[Guest], commands: Commands
) -> None:
    table_id = await from_the_queue(pair)
    await pair[0].command(table_id, {"type": "sit-down"}, "sit")
    delay = (await commands.of("table", table_id))["sit"].delay_ms
    assert delay is not None
    assert 0 <= delay < 5000


async def test_who_answers_no_ping_has_no_delay_whatever_it_says_of_it(pair: list[Guest], commands: Commands) -> None:
    table_id = await from_the_queue(pair)
    claim = {"delay_ms": 499, "at": 1, "server_time": 1}
    async with holding(pair[0]) as client:
        payload = await client.pinged()
        assert (await client.command(table_id, "in-the-command", {"type": "sit-down", **claim}))["type"] == "answer"
        error = await client.command(table_id, "beside-it", {"type": "return-to-seat"}, delay_ms=499)
        assert (error["type"], error["code"]) == ("error", "bad-message")
        client.pong(payload)
        await client.command(table_id, "measured", {"type": "return-to-seat"})
    written = await commands.of("table", table_id)
    assert "beside-it" not in written
    assert written["in-the-command"].delay_ms is None
    assert written["in-the-command"].command == {"type": "sit-down", "client_seed": ""}
    assert written["measured"].delay_ms is not None


async def test_who_is_far_off_is_credited_in_the_first_turn_already_and_everybody_is_shown_it(
    pair: list[Guest],
) -> None:
    table_id = await from_the_queue(pair)
    for guest in pair:
        async with holding(guest) as client:
            payload = await client.pinged()
            await client.hold(100)
            client.pong(payload)
            await client.command(table_id, "sit", {"type": "sit-down"})
    await pair[0].say(type="watch", table_id=table_id)
    view = (await pair[0].hear("view"))["view"]
    due = view["deadline"]
    assert 100 <= due["credit_ms"] <= 500
    assert due["due_at"] == due["set_at"] + view["ruleset"]["turn_ms"] + due["credit_ms"]


async def test_a_request_over_http_has_no_delay_even_beside_a_measured_socket(
    pair: list[Guest], commands: Commands
) -> None:
    guest, wanted = pair[0], secrets.token_hex(8)
    answer = await guest.http.post("/v1/queue", json={"id": wanted, "target": 150}, headers=guest.headers)
    assert answer.status_code == 200
    assert (await commands.of("lobby", "eu"))[wanted].delay_ms is None
    claimed = {"id": secrets.token_hex(8), "target": 150, "delay_ms": 1}
    refused = await guest.http.post("/v1/queue/leave", json=claimed, headers=guest.headers)
    assert refused.status_code == 422
    leave = {"id": secrets.token_hex(8)}
    assert (await guest.http.post("/v1/queue/leave", json=leave, headers=guest.headers)).status_code == 200


def asked_of_clients() -> list[type[BaseModel]]:
    """Everything that a client can send."""
    over_sockets = get_args(get_args(api.FromClient)[0])
    at_tables = get_args(get_args(PlayerCommand)[0])
    over_http = (api.GuestRequest, api.QueueRequest, api.StandByRequest, api.LeaveQueueRequest)
    return [*over_sockets, *at_tables, *over_http]


@pytest.mark.parametrize("message", asked_of_clients(), ids=lambda message: message.__name__)
def test_no_message_of_a_client_has_a_place_for_a_time_of_its_own(message: type[BaseModel]) -> None:
    assert [name for name in message.model_fields if CLAIM_OF_TIME.search(name)] == []


def test_places_for_time_are_found_where_there_are_some() -> None:
    """Otherwise the test above could not fail."""
    found = {name for name in {**CommandEnvelope.model_fields, **api.View.model_fields} if CLAIM_OF_TIME.search(name)}
    assert found == {"delay_ms", "at", "server_time"}
