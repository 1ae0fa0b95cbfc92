"""Several brokers of this machine: their settings, and that one of them may go."""

from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from tests.bus.local.test_kafka import node, settings

from bus.kafka import KafkaLog
from bus.local import Home
from bus.local.cluster import start_embedded_cluster
from bus.local.kafka import Door, Node, properties
from bus.records import NewRecord, TopicPartition

KEPT = ("kept", 1)
SESSION_MS = 2000


def test_a_door_is_a_listener_of_its_own_that_tells_clients_of_its_proxy(tmp_path: Path) -> None:
    behind = Node(1, 20_001, 21_001, tmp_path, door=Door(22_001, told_port=23_001))
    found = settings(properties(behind, [behind]))
    assert found["listeners"].split(",")[-1] == "DOOR://127.0.0.1:22001"
    assert found["advertised.listeners"].split(",") == ["PLAINTEXT://127.0.0.1:20001", "DOOR://127.0.0.1:23001"]
    assert found["listener.security.protocol.map"].endswith("PLAINTEXT:PLAINTEXT,DOOR:PLAINTEXT")


def test_brokers_speak_to_each_other_without_doors(tmp_path: Path) -> None:
    behind = Node(1, 20_001, 21_001, tmp_path, door=Door(22_001, told_port=23_001))
    assert settings(properties(behind, [behind]))["inter.broker.listener.name"] == "PLAINTEXT"
    assert "DOOR" not in properties(node(1, tmp_path), [node(1, tmp_path)])


@pytest.mark.servers
async def test_what_was_written_is_there_while_one_of_three_brokers_is_gone(tmp_path: Path) -> None:
    cluster = await start_embedded_cluster(Home(tmp_path))
    try:
        await make_topic(cluster.address)
        await write(cluster.address, b"before")
        await cluster.kill(2)
        assert not cluster.running(2)
        await write(cluster.address, b"meanwhile")
        assert await values(cluster.address, count=2) == [b"before", b"meanwhile"]
        await cluster.start(2)
        assert cluster.running(2)
    finally:
        await cluster.stop()


async def make_topic(address: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    await admin.create_topics([NewTopic(*KEPT, replication_factor=3)])
    await admin.close()


async def write(address: str, value: bytes) -> None:
    writer = KafkaLog(address, SESSION_MS).writer("test")
    await writer.start()
    await (await writer.append(NewRecord("kept", 0, None, value)))
    await writer.stop()


async def values(address: str, count: int) -> list[bytes | None]:
    reader, where, found = KafkaLog(address, SESSION_MS).reader("test"), TopicPartition("kept", 0), list[bytes | None]()
    await reader.start([where])
    reader.seek(where, 0)
    while len(found) < count:
        found += [record.value for record in (await reader.poll(100)).get(where, ())]
    await reader.stop()
    return found
