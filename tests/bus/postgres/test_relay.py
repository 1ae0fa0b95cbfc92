"""From the outbox into the log: in order, at least once, at once, and by one of any number of relays."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from opentelemetry.sdk.trace import TracerProvider
from tests.account.service import records
from tests.gateway.running import running
from tests.kafka.ledger import make_topics

from bus.header import TraceParent
from bus.kafka import KafkaLog
from bus.parts import Parts
from bus.postgres import Connection, Database, Outbox, Relay
from bus.postgres.database import every
from bus.process import Process
from bus.sender import Letter, LetterSender
from bus.tasks import end

TOPIC = "letters.events"


@pytest.fixture
async def bootstrap(kafka_bootstrap: str) -> str:
    await make_topics(kafka_bootstrap, "letters", partitions=6)
    await records(kafka_bootstrap, TOPIC)  # each partition has a leader that answers: nothing has to be sent twice
    return kafka_bootstrap


@asynccontextmanager
async def relaying(bootstrap: str, database: Database) -> AsyncIterator[None]:
    log = KafkaLog(bootstrap, 2000)
    sender = LetterSender(log, "test-relay", [TOPIC])
    relay = Relay(database, sender, Parts(log))
    stop = (relay.stop, sender.stop, log.close)
    async with running(Process("relay", loops=(relay.run,), start=(sender.start,), stop=stop)):
        yield


async def put(database: Database, *letters: Letter) -> None:
    async with database.transaction() as connection:
        await Outbox().put(connection, letters)


async def waiting(connection: Connection) -> int:
    return len(await every(connection, "SELECT FROM outbox"))


async def until_sent(database: Database) -> None:
    async with asyncio.timeout(20):
        while True:
            async with database.transaction() as connection:
                if not await waiting(connection):
                    return
            await asyncio.sleep(0.01)


async def values(bootstrap: str, key: str) -> list[bytes | None]:
    return [value for found, value, _ in await records(bootstrap, TOPIC) if found == key.encode()]


def a_key() -> str:
    return secrets.token_hex(8)


async def test_letters_are_sent_in_order_with_their_keys_and_traces(database: Database, bootstrap: str) -> None:
    key, trace = a_key(), TraceParent(bytes(range(16)), bytes(range(8)), 1)
    async with relaying(bootstrap, database):
        await put(database, Letter(TOPIC, key, b"1", trace), Letter(TOPIC, key, b"2"), Letter(TOPIC, key, None))
        await until_sent(database)
    found = [(value, headers) for of, value, headers in await records(bootstrap, TOPIC) if of == key.encode()]
    assert [value for value, _ in found] == [b"1", b"2", None]
    traced = b"00-000102030405060708090a0b0c0d0e0f-0001020304050607-01"
    assert [headers.get("traceparent") for _, headers in found] == [traced, None, None]


async def test_a_letter_belongs_to_the_trace_in_which_it_was_put(database: Database, bootstrap: str) -> None:
    key = a_key()
    with TracerProvider().get_tracer("test").start_as_current_span("here") as span:
        await put(database, Letter(TOPIC, key, b"1"))
    async with relaying(bootstrap, database):
        await until_sent(database)
    (headers,) = [headers for of, _, headers in await records(bootstrap, TOPIC) if of == key.encode()]
    assert f"{span.get_span_context().trace_id:032x}".encode() in headers["traceparent"]


async def test_what_an_earlier_process_has_left_is_sent(database: Database, bootstrap: str) -> None:
    key = a_key()
    await put(database, *(Letter(TOPIC, key, str(number).encode()) for number in range(1200)))
    async with relaying(bootstrap, database):
        await until_sent(database)
    assert await values(bootstrap, key) == [str(number).encode() for number in range(1200)]


async def test_what_was_put_by_a_process_that_died_is_sent_by_another_soon(
    postgres_dsn: str, schema: str, database: Database, bootstrap: str
) -> None:
    key = a_key()
    async with relaying(bootstrap, database):
        another = Database(postgres_dsn, schema, ())
        await another.start()
        await put(another, Letter(TOPIC, key, b"left"))
        await another.stop()
        await until_sent(database)
    assert await values(bootstrap, key) == [b"left"]


async def test_what_is_put_after_the_loop_has_ended_is_sent_before_the_process_ends(
    database: Database, bootstrap: str
) -> None:
    key = a_key()
    log = KafkaLog(bootstrap, 2000)
    sender = LetterSender(log, "test-relay", [TOPIC])
    relay = Relay(database, sender, Parts(log))
    await sender.start()
    loop = asyncio.create_task(relay.run())
    await put(database, Letter(TOPIC, key, b"in time"))
    await until_sent(database)
    await end([loop])
    await put(database, Letter(TOPIC, key, b"late"))
    await relay.stop()
    assert await values(bootstrap, key) == [b"in time", b"late"]
    await sender.stop()
    await log.close()


async def test_two_relays_do_not_overtake_each_other(
    postgres_dsn: str, schema: str, database: Database, bootstrap: str
) -> None:
    keys = [a_key() for _ in range(5)]
    another = Database(postgres_dsn, schema, ())
    await another.start()
    async with relaying(bootstrap, database), relaying(bootstrap, another):

        async def write(key: str, through: Callable[[int], Database]) -> None:
            for number in range(40):
                await put(through(number), Letter(TOPIC, key, str(number).encode()))

        await asyncio.gather(*(write(key, lambda number: (database, another)[number % 2]) for key in keys))
        await until_sent(database)
    await another.stop()
    for key in keys:
        assert await values(bootstrap, key) == [str(number).encode() for number in range(40)]


async def test_a_commit_wakes_the_relay_at_once_and_a_reading_does_not(database: Database) -> None:
    woken: list[None] = []
    database.on_letters(lambda: woken.append(None))
    async with database.transaction() as connection:
        await waiting(connection)
    assert woken == []
    await put(database)
    assert woken == []
    await put(database, Letter(TOPIC, a_key(), b"1"))
    assert woken == [None]
