"""Guests come over the bus: at once, once, whatever happens."""

import asyncio
import json
from typing import Any

from aiokafka import AIOKafkaProducer
from tests.account.service import Newcomer, Service, records, running_service
from tests.bus.postgres.databases import open_again, shut

from bus.header import TraceParent
from bus.kafka import KafkaLog
from bus.sender import CommandSender
from contracts.envelope import DeadLetter

TRACE = TraceParent(bytes(range(16)), bytes(range(8)), 1)


async def send_bytes(
    service: Service, key: str, value: bytes, headers: Any = (), topic: str = "account.commands"
) -> None:
    producer = AIOKafkaProducer(bootstrap_servers=service.bootstrap)
    await producer.start()
    await producer.send_and_wait(topic, value, key.encode(), headers=headers)
    await producer.stop()


async def dead(service: Service, key: str) -> list[DeadLetter]:
    """As many as there are, once there is one."""
    async with asyncio.timeout(20):
        while True:
            found = [value for of, value, _ in await records(service.bootstrap, "account.dead") if of == key.encode()]
            if found:
                return [DeadLetter.model_validate_json(value or b"") for value in found]
            await asyncio.sleep(0.02)


async def test_a_guest_is_there_and_told_of(service: Service) -> None:
    newcomer = await service.guest(region="eu", bot=True)
    (told,) = await service.told_of(newcomer.account)
    assert told is not None
    assert (told.version, told.kind, told.region, told.bot, told.ended) == (1, "guest", "eu", True, ())


async def test_a_repeated_command_has_one_effect(service: Service) -> None:
    newcomer = Newcomer()
    await service.send(*[newcomer.command("the same")] * 3)
    await service.until_there(newcomer)
    await service.send(newcomer.command("the same"))
    await service.guest()
    assert len(await service.told_of(newcomer.account)) == 1


async def test_the_log_has_no_secret_and_what_is_told_no_hash_either(service: Service) -> None:
    newcomer = await service.guest()
    await service.until_told()
    for topic in ("account.commands", "account.events", "account.dead"):
        text = b"".join(value or b"" for _, value, _ in await records(service.bootstrap, topic))
        assert newcomer.secret.encode() not in text
    told = await service.told_of(newcomer.account)
    assert "hash" not in str(told)


async def test_what_is_told_belongs_to_the_trace_of_its_command(service: Service) -> None:
    newcomer = Newcomer()
    log = KafkaLog(service.bootstrap, 2000)
    sender = CommandSender(log, "account")
    await sender.start()
    await sender.send(newcomer.command(), TRACE)
    await sender.stop()
    await log.close()
    await service.until_there(newcomer)
    await service.until_told()
    told = [headers for key, _, headers in await records(service.bootstrap, "account.events")
            if key == newcomer.account.encode()]  # fmt: skip
    assert TRACE.trace_id.hex().encode() in told[0]["traceparent"]


async def test_what_cannot_be_read_is_put_where_people_look_and_others_go_on(service: Service) -> None:
    key = Newcomer().account
    await send_bytes(service, key, b"\xff not even text", [("traceparent", b"\xff\xfe")])
    await service.guest()
    (letter,) = await dead(service, key)
    assert (letter.topic, letter.code, letter.command_id) == ("account.commands", "undecodable", "")
    assert "not even" not in letter.message


async def test_a_key_that_no_text_can_hold_is_buried_all_the_same(service: Service) -> None:
    key = f"{Newcomer().account}\0"
    await send_bytes(service, key, b"nothing")
    assert [letter.code for letter in await dead(service, key.replace("\0", "\ufffd"))] == ["undecodable"]


async def test_a_command_for_another_account_than_its_record_is_undecodable(service: Service) -> None:
    newcomer = Newcomer()
    envelope = newcomer.command().model_copy(update={"aggregate": Newcomer().account})
    await service.send(envelope)
    assert [letter.code for letter in await dead(service, envelope.aggregate)] == ["undecodable"]
    assert (await service.renew(newcomer.secret)).status_code == 401


async def test_headers_that_are_no_text_do_not_lose_a_command(service: Service) -> None:
    newcomer = Newcomer()
    value = json.dumps(newcomer.command().model_dump()).encode()
    await send_bytes(service, newcomer.account, value, [("anything", b"\xff\xfe")])
    await service.until_there(newcomer)


async def test_an_id_that_is_taken_stays_whose_it_is(service: Service) -> None:
    first = await service.guest()
    second, other = Newcomer(account=first.account), Newcomer()
    await service.send(second.command("another"), other.command())
    await service.until_there(other)
    (letter,) = await dead(service, first.account)
    assert (letter.code, letter.command_id, letter.principal) == ("not-carried-out", "another", "gateway")
    assert "UniqueViolation" in letter.message
    assert first.account not in letter.message
    assert (await service.renew(second.secret)).status_code == 401
    assert (await service.renew(first.secret)).json()["account"] == first.account


async def test_a_guest_is_no_house_bot(service: Service) -> None:
    newcomer = Newcomer(account="house-eu-9001")
    await service.send(newcomer.command())
    assert [letter.code for letter in await dead(service, newcomer.account)] == ["not-carried-out"]


async def test_without_its_database_guests_wait_in_the_log(service: Service, postgres_dsn: str) -> None:
    name = service.dsn.rpartition("/")[2]
    await shut(postgres_dsn, name)
    newcomers = [Newcomer() for _ in range(5)]
    await service.send(*(newcomer.command() for newcomer in newcomers))
    answer = await service.renew(newcomers[0].secret)
    assert (answer.status_code, answer.json()["code"]) == (503, "accounts-unavailable")
    assert answer.headers["Retry-After"]
    await open_again(postgres_dsn, name)
    for newcomer in newcomers:
        await service.until_there(newcomer)


async def test_two_replicas_make_each_guest_once_and_one_that_goes_leaves_nothing(service: Service) -> None:
    newcomers = [Newcomer() for _ in range(60)]
    async with running_service(service.bootstrap, service.dsn) as another:
        await service.send(*(newcomer.command() for newcomer in newcomers[:30]))
        await another.send(*(newcomer.command() for newcomer in newcomers[20:]))
        await another.until_there(newcomers[40])
    for newcomer in newcomers:
        await service.until_there(newcomer)
    await service.until_told()
    told = [key for key, value, _ in await records(service.bootstrap, "account.events") if value]
    assert {newcomer.account.encode() for newcomer in newcomers} <= set(told)
    query = "SELECT version FROM accounts WHERE account = ANY(%s)"
    assert await service.rows(query, [newcomer.account for newcomer in newcomers]) == [(1,)] * 60
