"""Whether a server works, asked by a real request of its own protocol."""

import asyncio
import contextlib

import psycopg
from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError
from redis.asyncio import Redis
from redis.exceptions import RedisError

REQUEST_SECONDS_MAX = 2.0


async def kafka_answers(bootstrap: str) -> bool:
    """True when a metadata request names at least one broker."""
    if not await _listens(bootstrap):
        return False  # The client logs an error for every refused connection: ask it only when it can work.
    client = AIOKafkaClient(bootstrap_servers=bootstrap, request_timeout_ms=int(REQUEST_SECONDS_MAX * 1000))
    try:
        await client.bootstrap()
        return bool(client.cluster.brokers())
    except KafkaError:
        return False
    finally:
        await client.close()


async def valkey_answers(url: str) -> bool:
    """True when PING is answered."""
    client = Redis.from_url(url, socket_timeout=REQUEST_SECONDS_MAX, socket_connect_timeout=REQUEST_SECONDS_MAX)
    try:
        return bool(await client.ping())
    except (RedisError, OSError):
        return False
    finally:
        await client.aclose()


async def postgres_answers(dsn: str) -> bool:
    """True when SELECT 1 is."""
    try:
        async with await psycopg.AsyncConnection.connect(dsn, connect_timeout=int(REQUEST_SECONDS_MAX)) as connection:
            await connection.execute("SELECT 1")
    except (psycopg.Error, OSError):
        return False
    return True


async def http_ok(host: str, port: int, path: str) -> bool:
    """True when a GET is answered with 200. Without an HTTP client: this is asked many times a second."""
    try:
        async with asyncio.timeout(REQUEST_SECONDS_MAX):
            reader, writer = await asyncio.open_connection(host, port)
            with contextlib.closing(writer):
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                status_line = await reader.readline()
    except (OSError, TimeoutError):
        return False
    return status_line.split()[1:2] == [b"200"]


async def _listens(bootstrap: str) -> bool:
    host, _, port = bootstrap.split(",")[0].rpartition(":")
    try:
        async with asyncio.timeout(REQUEST_SECONDS_MAX):
            _, writer = await asyncio.open_connection(host, int(port))
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True
