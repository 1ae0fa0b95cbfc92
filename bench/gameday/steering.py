"""What the operators of a cluster ask of it: who leads, who is in sync, who is the controller, and to move a leader."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from aiokafka.protocol.admin import AlterPartitionReassignmentsRequest
from aiokafka.protocol.api import Request, RequestStruct, Response
from aiokafka.protocol.types import Array, CompactArray, CompactString, Int8, Int16, Int32, Int64, Schema, String
from aiokafka.protocol.types import TaggedFields as Tags

LOOK_SECONDS = 0.1
REQUEST_MS = 3000
ASK_SECONDS_MAX = 20.0
PREFERRED = 0

Replicas = tuple[int, ...]


class _DescribeQuorumResponse(Response):  # type: ignore[misc]  # aiokafka has no types
    API_KEY = 55
    API_VERSION = 0
    _REPLICAS = CompactArray(("replica_id", Int32), ("log_end_offset", Int64), ("tags", Tags))
    SCHEMA = Schema(
        ("error_code", Int16),
        (
            "topics",
            CompactArray(
                ("topic", CompactString("utf-8")),
                (
                    "partitions",
                    CompactArray(
                        ("partition", Int32),
                        ("error_code", Int16),
                        ("leader_id", Int32),
                        ("leader_epoch", Int32),
                        ("high_watermark", Int64),
                        ("voters", _REPLICAS),
                        ("observers", _REPLICAS),
                        ("tags", Tags),
                    ),
                ),
                ("tags", Tags),
            ),
        ),
        ("tags", Tags),
    )


class _DescribeQuorumStruct(RequestStruct):  # type: ignore[misc]
    FLEXIBLE_VERSION = True
    API_KEY = 55
    API_VERSION = 0
    RESPONSE_TYPE = _DescribeQuorumResponse
    SCHEMA = Schema(
        (
            "topics",
            CompactArray(
                ("topic", CompactString("utf-8")),
                ("partitions", CompactArray(("partition", Int32), ("tags", Tags))),
                ("tags", Tags),
            ),
        ),
        ("tags", Tags),
    )


class _DescribeQuorum(Request[_DescribeQuorumStruct]):  # type: ignore[misc]
    API_KEY = 55

    def build(self, request_struct_class: type[Any]) -> Any:
        return request_struct_class([("__cluster_metadata", [(0, {})], {})], {})


class _ElectLeadersResponse(Response):  # type: ignore[misc]
    API_KEY = 43
    API_VERSION = 1
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        ("error_code", Int16),
        (
            "topics",
            Array(
                ("topic", String("utf-8")),
                ("partitions", Array(("partition", Int32), ("error_code", Int16), ("message", String("utf-8")))),
            ),
        ),
    )


class _ElectLeadersStruct(RequestStruct):  # type: ignore[misc]
    API_KEY = 43
    API_VERSION = 1
    RESPONSE_TYPE = _ElectLeadersResponse
    SCHEMA = Schema(
        ("election_type", Int8),
        ("topics", Array(("topic", String("utf-8")), ("partitions", Array(Int32)))),
        ("timeout_ms", Int32),
    )


class _ElectLeaders(Request[_ElectLeadersStruct]):  # type: ignore[misc]
    API_KEY = 43

    def __init__(self, topic: str, partitions: Sequence[int]) -> None:
        self._topics = [(topic, list(partitions))]

    def build(self, request_struct_class: type[Any]) -> Any:
        return request_struct_class(PREFERRED, self._topics, REQUEST_MS)


class Steering:
    """Answers come from whichever broker of `bootstrap` runs; each question has a connection of its own."""

    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap

    async def controller(self) -> int:
        """The broker that is the active controller."""
        answer = await self._ask(_DescribeQuorum())
        leader: int = answer.to_object()["topics"][0]["partitions"][0]["leader_id"]
        return leader

    async def partitions(self) -> list[tuple[str, int, int, Replicas, Replicas]]:
        """Of all topics: topic, partition, leader (-1: none), replicas in order of preference, those in sync."""
        async with self._admin() as admin:
            return [
                (topic["topic"], part["partition"], part["leader"], tuple(part["replicas"]), tuple(part["isr"]))
                for topic in await admin.describe_topics()
                for part in topic["partitions"]
            ]

    async def leaders(self, topic: str) -> dict[int, int]:
        return {part: leader for name, part, leader, *_ in await self.partitions() if name == topic}

    async def whole(self, seconds_max: float = 60.0) -> None:
        """Waits until every partition has a leader and all of its replicas in sync."""
        async with asyncio.timeout(seconds_max):
            while not await self._is_whole():
                await asyncio.sleep(LOOK_SECONDS)

    async def _is_whole(self) -> bool:
        try:
            found = await self.partitions()
        except (KafkaError, OSError, TimeoutError):
            return False
        return all(leader >= 0 and set(isr) == set(replicas) for _, _, leader, replicas, isr in found)

    async def move_leaders(self, topic: str) -> int:
        """Makes the replica after its leader the leader of each partition; returns when it is so, with how many."""
        wanted: dict[int, int] = {}
        order: list[tuple[int, list[int], dict[int, bytes]]] = []
        for name, number, leader, replicas, _ in await self.partitions():
            if name == topic:
                at = (replicas.index(leader) + 1) % len(replicas)
                wanted[number] = replicas[at]
                order.append((number, [*replicas[at:], *replicas[:at]], {}))
        await self._ask(AlterPartitionReassignmentsRequest(REQUEST_MS, [(topic, order, {})], {}))
        await self._ask(_ElectLeaders(topic, list(wanted)))
        async with asyncio.timeout(ASK_SECONDS_MAX):
            while await self.leaders(topic) != wanted:
                await asyncio.sleep(LOOK_SECONDS)
        return len(wanted)

    async def _ask(self, request: Any) -> Any:
        """Asks again while the broker that was asked is just not there."""
        async with asyncio.timeout(ASK_SECONDS_MAX):
            while True:
                try:
                    async with self._admin() as admin:
                        return await admin._send_request(request)
                except (KafkaError, OSError):
                    await asyncio.sleep(LOOK_SECONDS)

    @asynccontextmanager
    async def _admin(self) -> AsyncIterator[Any]:
        admin = AIOKafkaAdminClient(bootstrap_servers=self._bootstrap, request_timeout_ms=REQUEST_MS)
        await admin.start()
        try:
            yield admin
        finally:
            await admin.close()
