"""Every place in which a running stack keeps anything, for tests that look for what must not be there."""

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from psycopg import sql
from redis.asyncio import Redis

from capicua.server.processes import Need
from capicua.server.stack import Stack


async def topics(stack: Stack, *wanted: str) -> dict[str, bytes]:
    """All records of these topics, else of each that the brokers have, their own ones too: keys, headers and values."""
    address = stack.servers[Need.KAFKA].address
    partitions = await _partitions(address, wanted)
    consumer = AIOKafkaConsumer(bootstrap_servers=address, auto_offset_reset="earliest", exclude_internal_topics=False)
    await consumer.start()
    try:
        consumer.assign(partitions)
        found: dict[str, list[bytes]] = {partition.topic: [] for partition in partitions}
        for partition, end in (await consumer.end_offsets(partitions)).items():
            while await consumer.position(partition) < end:
                for where, records in (await consumer.getmany(timeout_ms=500)).items():
                    found[where.topic] += map(_whole, records)
        return {name: b"\n".join(records) for name, records in found.items()}
    finally:
        await consumer.stop()


async def _partitions(address: str, wanted: Sequence[str]) -> list[TopicPartition]:
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        names = wanted or await admin.list_topics()
        told = await admin.describe_topics(list(names))
    finally:
        await admin.close()
    return [TopicPartition(each["topic"], part["partition"]) for each in told for part in each["partitions"]]


def _whole(record: Any) -> bytes:
    headers = [part for name, value in record.headers for part in (name.encode(), value)]
    return b" ".join(part for part in (record.key, *headers, record.value) if part)


async def rows(stack: Stack) -> dict[str, bytes]:
    """All rows of each table of PostgreSQL that is not its own."""
    tables = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    async with await psycopg.AsyncConnection.connect(stack.servers[Need.POSTGRES].address) as connection:
        names = await (await connection.execute(tables)).fetchall()
        found: dict[str, bytes] = {}
        for name in names:
            rows = await connection.execute(
                sql.SQL("SELECT given::text FROM {} AS given").format(sql.Identifier(*name))
            )
            found[".".join(name)] = "\n".join(str(row[0]) for row in await rows.fetchall()).encode()
        return found


async def cache(stack: Stack) -> bytes:
    """All keys of Valkey and what stands in them."""
    async with Redis.from_url(stack.servers[Need.VALKEY].address) as redis:
        found: list[bytes] = []
        async for key in redis.scan_iter(count=1000):
            found += [key, repr(await _value(redis, key)).encode()]
        return b"\n".join(found)


async def _value(redis: Any, key: bytes) -> Any:
    match await redis.type(key):
        case b"string":
            return await redis.get(key)
        case b"hash":
            return await redis.hgetall(key)
        case b"set":
            return await redis.smembers(key)
        case b"zset":
            return await redis.zrange(key, 0, -1)
        case b"stream":
            return await redis.xrange(key)
        case kind:
            return kind


def logs(stack: Stack) -> dict[str, bytes]:
    """What each process of ours and each server has said so far."""
    return {path.stem: path.read_bytes() for path in (stack.home.root / "logs").glob("*.log")}


def holding(places: dict[str, bytes], needles: Iterable[str]) -> dict[str, list[str]]:
    """Which of the texts stand where."""
    texts = list(needles)
    found = {name: [text for text in texts if text.encode() in held] for name, held in places.items()}
    return {name: texts for name, texts in found.items() if texts}
