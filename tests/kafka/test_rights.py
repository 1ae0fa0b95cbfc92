"""The generated rights on a real broker: enough for the whole product, and for nothing else."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial

import pytest
from aiokafka import AIOKafkaConsumer
from aiokafka.errors import (
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    KafkaConnectionError,
    TopicAuthorizationFailedError,
)
from deploy.generate import principals, rules
from pydantic import SecretStr
from tests.account.service import account_settings
from tests.bus.postgres.databases import dsn_of_a_new_database
from tests.gateway.running import free_port, running, until_open
from tests.kafka.secured import SESSION_MS, SecuredKafka, secured_kafka
from tests.keys import HOUSE_KEY, INNER_KEY, SIGNING_KEY, public_key

from account.app import build as build_account
from bus.access import KafkaAccess
from bus.header import HEADER, ID_BYTES, Founding, pack
from bus.kafka import KafkaLog
from bus.local import Home
from bus.records import NewRecord, TopicPartition
from bus.settings import BusSettings
from bus.topics import ensure_topics
from capicua.client import Client
from capicua.player import play_match
from capicua.server.skip.command import REFUSED, run
from contracts.topics import GROUPS, TOPICS, Topic
from gateway.app import build as build_gateway
from gateway.settings import GatewaySettings
from lobby.app import build as build_lobby
from table.app import build as build_table
from table.projector.app import build as build_projector
from table.settings import ProjectorSettings
from timer.app import build as build_timer

SHARDS = 2
WALLET = "wallet"
RELEASE_SECONDS = 20


@pytest.fixture(scope="module")
async def secured(home: Home) -> AsyncIterator[SecuredKafka]:
    async with secured_kafka(home, [*principals(), WALLET]) as kafka:
        await ensure_topics(kafka.operators, SHARDS)
        await kafka.grant({principal: rules(principal) for principal in principals()})
        yield kafka


@pytest.fixture
async def product(secured: SecuredKafka, redis_url: str, postgres_dsn: str) -> AsyncIterator[str]:
    """Every process as its own principal; the gateway's address."""

    def known(principal: str) -> dict[str, object]:
        password = SecretStr(secured.passwords[principal])
        return {
            "kafka_bootstrap": secured.clients,
            "session_ms": SESSION_MS,
            "kafka_username": principal,
            "kafka_password": password,
        }

    port, account_port = free_port(), free_port()
    door = {
        "gateway_port": port,
        "signing_key": SecretStr(SIGNING_KEY.hex()),
        "house_key": SecretStr(HOUSE_KEY),
        "account_public_key": public_key().hex(),
        "account_url": f"http://127.0.0.1:{account_port}",
        "inner_key": SecretStr(INNER_KEY),
    }
    dsn = await dsn_of_a_new_database(postgres_dsn)
    processes = (
        build_table(BusSettings.model_validate(known("table"))),
        build_lobby(BusSettings.model_validate(known("lobby"))),
        build_timer(BusSettings.model_validate(known("timer"))),
        build_projector(ProjectorSettings.model_validate(known("table-projector") | {"redis_url": redis_url})),
        build_account(account_settings(secured.clients, dsn, account_port, **known("account"))),
        build_gateway(GatewaySettings.model_validate(known("gateway") | door | {"redis_url": redis_url})),
    )
    async with AsyncExitStack() as stack:
        for process in processes:
            await stack.enter_async_context(running(process))
        await until_open(port)
        yield f"http://127.0.0.1:{port}"


async def test_the_product_plays_a_match_and_frees_its_people_with_these_rights(product: str) -> None:
    async with Client(product) as ann, Client(product) as bob:
        for client in (ann, bob):
            await client.guest(bot=True)
            await client.queue("draw", 2, 50)
        tables = [await client.next_table() for client in (ann, bob)]
        seen = await asyncio.gather(*map(play_match, tables))
        assert seen[0].result is not None
        assert seen[0].result == seen[1].result
        async with asyncio.timeout(RELEASE_SECONDS):
            while (await ann.me()).tables:  # noqa: ASYNC110 - all that a client can do is to ask again
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("principal", principals())
async def test_a_principal_writes_and_reads_its_topics_and_no_others(secured: SecuredKafka, principal: str) -> None:
    log = secured.log(principal)
    written = {topic.name for topic in TOPICS if await may_write(log, topic)}
    read = {topic.name for topic in TOPICS if await may_read(log, topic)}
    await log.close()
    assert written == {topic.name for topic in TOPICS if principal in topic.writers}
    assert read == {topic.name for topic in TOPICS if principal in topic.readers}


async def test_a_decider_may_pass_its_commands_over_and_who_sends_them_may_not(
    secured: SecuredKafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    decider, sender = secured.log("table"), secured.log("gateway")
    events, commands = TopicPartition("table.events", 1), TopicPartition("table.commands", 1)
    if (await decider.bounds(events))[1] == 0:
        await append(decider, NewRecord(*events, None, b"", ((HEADER, pack(Founding(bytes(ID_BYTES)))),)))
    await append(sender, NewRecord(*commands, b"nobody", b"no command", ()))
    _, end = await decider.bounds(commands)
    for principal, status in (("gateway", REFUSED), ("table", 0), ("table", REFUSED)):
        monkeypatch.setenv("KAFKA_USERNAME", principal)
        monkeypatch.setenv("KAFKA_PASSWORD", secured.passwords[principal])
        arguments = (secured.clients, "table", 1)
        assert await asyncio.to_thread(partial(run, *arguments, to=end - 1, reason="a test", yes=True)) == status
    await asyncio.gather(decider.close(), sender.close())


async def append(log: KafkaLog, record: NewRecord) -> None:
    writer = log.writer("test-rights")
    await writer.start()
    await (await writer.append(record))
    await writer.stop()


async def test_who_keeps_coins_is_refused_when_it_tries_a_match(secured: SecuredKafka) -> None:
    log = secured.log(WALLET)
    for topic in TOPICS:
        assert not await may_read(log, topic)
        assert not await may_write(log, topic)
    await log.close()


async def test_nobody_joins_the_group_of_another(secured: SecuredKafka) -> None:
    access = secured.access("timer").client_settings()
    for group in GROUPS["table"]:
        intruder = AIOKafkaConsumer("table.events", bootstrap_servers=secured.clients, group_id=group, **access)
        with pytest.raises(GroupAuthorizationFailedError):
            await intruder.start()
        await intruder.stop()


async def test_a_wrong_password_opens_nothing(secured: SecuredKafka) -> None:
    log = KafkaLog(secured.clients, SESSION_MS, KafkaAccess("timer", "not this"))
    with pytest.raises(KafkaConnectionError):
        await log.partition_count("table.events")
    await log.close()


async def may_write(log: KafkaLog, topic: Topic) -> bool:
    """Who may write nothing at all is refused before its first record."""
    writer = log.writer("test-rights")
    try:
        await writer.start()
        await (await writer.append(NewRecord(topic.name, 0, b"nobody", b"no command, no event", ())))
    except (TopicAuthorizationFailedError, ClusterAuthorizationFailedError):
        return False
    finally:
        await writer.stop()
    return True


async def may_read(log: KafkaLog, topic: Topic) -> bool:
    """What a principal may not even describe does not exist for it."""
    try:
        await log.partition_count(topic.name)
    except TopicAuthorizationFailedError:
        return False
    reader, partition = log.reader("test-rights"), TopicPartition(topic.name, 0)
    await reader.start([partition])
    reader.seek(partition, 0)
    try:
        await reader.poll(1000)
    except TopicAuthorizationFailedError:
        return False
    finally:
        await reader.stop()
    return True
