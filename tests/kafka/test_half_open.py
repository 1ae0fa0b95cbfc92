"""Connections that have died without a word: what is asked over them is asked again over others."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bench.gameday.proxy import Proxy
from tests.gateway.running import free_port
from tests.kafka.ledger import PARTITIONS, SESSION_MS, make_topics

from bus.kafka import KafkaLog
from bus.local import Home
from bus.local.cluster import Cluster, start_embedded_cluster
from bus.records import LogUnavailable, NewRecord, TopicPartition

SECONDS_MAX = 20
MEMBER_SECONDS_MAX = 10
"""A heartbeat is given up after a rebalance and three seconds, six in all; then everything must go over new ways."""
PLACE = TopicPartition("half-open.events", 0)


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[tuple[Cluster, Proxy]]:
    """One broker, which tells clients of its proxy. Its data is its own: what had copies elsewhere has no leader."""
    port = free_port()
    cluster = await start_embedded_cluster(Home(tmp_path), brokers=1, doors={1: port})
    door = cluster.nodes[1].door
    assert door is not None
    proxy = Proxy(door.port, port)
    await proxy.start()
    yield cluster, proxy
    await proxy.stop()
    await cluster.stop()


async def test_a_log_asks_again_over_a_new_connection(cluster: tuple[Cluster, Proxy]) -> None:
    brokers, proxy = cluster
    await make_topics(brokers.address, "half-open")
    log = KafkaLog(brokers.door_address, SESSION_MS)
    writer = log.writer("test")
    await writer.start()
    await (await writer.append(NewRecord(*PLACE, None, b"there")))
    await writer.stop()
    assert await log.bounds(PLACE) == (0, 1)
    assert proxy.forsake() > 0
    with pytest.raises(LogUnavailable):
        await log.bounds(PLACE)
    async with asyncio.timeout(SECONDS_MAX):
        assert await log.bounds(PLACE) == (0, 1)
    await log.close()


async def test_readiness_is_asked_over_a_new_connection_as_well(cluster: tuple[Cluster, Proxy]) -> None:
    brokers, proxy = cluster
    await make_topics(brokers.address, "half-open-ready")
    log = KafkaLog(brokers.door_address, SESSION_MS)
    assert await log.answers()
    assert proxy.forsake() > 0
    assert not await log.answers()
    async with asyncio.timeout(SECONDS_MAX):
        assert await log.answers()
    await log.close()


async def test_a_member_of_a_group_is_back_within_ten_seconds(cluster: tuple[Cluster, Proxy]) -> None:
    brokers, proxy = cluster
    await make_topics(brokers.address, "half-open-member")
    membership = KafkaLog(brokers.door_address, SESSION_MS).membership("half-open", ["half-open-member.commands"])
    await membership.start()
    async with asyncio.timeout(SECONDS_MAX):
        generation = await membership.changed(0)
    assert proxy.forsake() > 0
    async with asyncio.timeout(MEMBER_SECONDS_MAX):
        await membership.changed(generation)
    assert len(membership.assignment) == PARTITIONS
    await membership.stop()
