"""Every server, for real: it starts, answers, stops, and finds its data again."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from docker import DockerClient  # type: ignore[import-untyped]
from redis.asyncio import Redis

from bus.local import Home, LocalError, Server, start_kafka, start_postgres, start_valkey
from bus.local.containers import docker_wanted, volume

pytestmark = pytest.mark.servers


async def write_topic(address: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        await admin.create_topics([NewTopic("kept", num_partitions=1, replication_factor=1)])
    finally:
        await admin.close()


async def read_topic(address: str) -> bool:
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        return "kept" in await admin.list_topics()
    finally:
        await admin.close()


async def write_key(address: str) -> None:
    async with Redis.from_url(address) as client:
        await client.set("kept", "yes")


async def read_key(address: str) -> bool:
    async with Redis.from_url(address) as client:
        return bool(await client.get("kept") == b"yes")


async def write_row(address: str) -> None:
    async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
        await connection.execute("CREATE TABLE kept (id int)")


async def read_row(address: str) -> bool:
    async with await psycopg.AsyncConnection.connect(address) as connection:
        row = await (await connection.execute("SELECT to_regclass('kept') IS NOT NULL")).fetchone()
    return row == (True,)


@dataclass(frozen=True)
class Kind:
    name: str
    variable: str
    start: Callable[[Home], Awaitable[Server]]
    write: Callable[[str], Awaitable[None]]
    read: Callable[[str], Awaitable[bool]]


KINDS = [
    Kind("kafka", "KAFKA_BOOTSTRAP", start_kafka, write_topic, read_topic),
    Kind("valkey", "REDIS_URL", start_valkey, write_key, read_key),
    Kind("postgres", "POSTGRES_DSN", start_postgres, write_row, read_row),
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Kind]:
    chosen: Kind = request.param
    monkeypatch.delenv(chosen.variable, raising=False)
    yield chosen
    if docker_wanted():
        remove_volumes(chosen.name, Home(tmp_path), Home(tmp_path / "one"), Home(tmp_path / "two"))


def remove_volumes(name: str, *homes: Home) -> None:
    client = DockerClient.from_env()
    ours = {volume(home, name) for home in homes}
    for found in client.volumes.list():
        if found.name in ours:
            found.remove()
    client.close()


async def test_what_was_written_is_there_after_a_restart(kind: Kind, tmp_path: Path) -> None:
    home = Home(tmp_path)
    first = await kind.start(home)
    try:
        await kind.write(first.address)
    finally:
        await first.stop()
    second = await kind.start(home)
    try:
        assert await kind.read(second.address)
        assert second.address == first.address
    finally:
        await second.stop()


async def test_an_address_in_the_environment_comes_first(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = await kind.start(Home(tmp_path / "one"))
    try:
        monkeypatch.setenv(kind.variable, ours.address)
        found = await kind.start(Home(tmp_path / "two"))
        assert (found.address, found.pid) == (ours.address, None)
        await found.stop()
        assert not await kind.read(ours.address)  # It still answers: nobody stops what is not theirs.
    finally:
        await ours.stop()


async def test_an_address_where_nothing_answers_is_said_with_its_variable(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = {"kafka": "127.0.0.1:1", "valkey": "redis://127.0.0.1:1", "postgres": "postgresql://127.0.0.1:1/x"}
    monkeypatch.setenv(kind.variable, nowhere[kind.name])
    with pytest.raises(LocalError, match=kind.variable):
        await kind.start(Home(tmp_path))


async def test_a_text_that_is_no_address_is_told_what_one_looks_like(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {"kafka": "secret", "valkey": "redis://:secret@127.0.0.1:abc/0", "postgres": "secret"}
    monkeypatch.setenv(kind.variable, wrong[kind.name])
    with pytest.raises(LocalError, match=kind.variable) as raised:
        await kind.start(Home(tmp_path))
    assert "secret" not in str(raised.value)
