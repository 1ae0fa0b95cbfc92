"""Records that nobody should have written: each is answered or ignored, and the partition goes on."""

import json
from collections.abc import AsyncIterator
from functools import partial
from random import Random

import pytest
from bench.gameday import strangers
from tests.kafka.deciding import running
from tests.kafka.ledger import PARTITIONS, SESSION_MS, Ledger, add, make_topics, sender_to
from tests.kafka.product import product
from ulid import ULID

from bus.header import HEADER
from bus.kafka import KafkaLog
from bus.owner import FOREIGN
from bus.partitioning import partition_of
from bus.records import NewRecord, Record, TopicPartition
from bus.telemetry import TRACEPARENT
from contracts.envelope import DeadLetter
from contracts.table import OpenTable, Reservation
from contracts.topics import PARTITIONS_LOCAL

MEBIBYTE = 2**20
ROOM = 2000
"""Bytes of a record of at most 1 MiB that are not its body."""
TRACE = b"00-" + b"1" * 32 + b"-" + b"2" * 16 + b"-01"


def command(payload: object, aggregate: str = "a", **more: object) -> bytes:
    return json.dumps({"id": "b", "principal": "bad", "aggregate": aggregate, "command": payload, **more}).encode()


ADD = {"type": "add", "number": 1}
HUGE = "x" * (MEBIBYTE - ROOM)
BODIES: dict[str, tuple[bytes | None, str]] = {
    "no body": (None, "undecodable"),
    "an empty body": (b"", "undecodable"),
    "no text": (b"\xff\x00\xfe", "undecodable"),
    "half a command": (command(ADD)[:-5], "undecodable"),
    "a list": (b"[]", "undecodable"),
    "nesting without end": (b"[" * 100_000, "undecodable"),
    "nesting without end inside": (command(ADD)[:-1] + b', "more": ' + b"[" * 50_000 + b"}", "undecodable"),
    "one MiB of nothing": (b"x" * (MEBIBYTE - ROOM), "undecodable"),
    "one MiB in the id": (command(ADD, id=HUGE), "undecodable"),
    "one MiB in the command": (command({**ADD, "note": HUGE}), "accepted"),
    "one MiB beside the command": (command(ADD, note=HUGE), "duplicate"),
    "a command of another version": (command({"type": "add-twice", "number": 1}, id="c"), "undecodable"),
    "a kind of aggregate of another version": (command({"type": "open-room", "code": "ABCDEF"}, id="d"), "undecodable"),
    "a field of another version": (command({**ADD, "carefully": True}, id="e", priority=7), "accepted"),
    "another aggregate": (command(ADD, aggregate="b", id="f"), "wrong-key"),
    "a number that no one can write": (
        command(ADD, id="g")[:-2].replace(b": 1", b": " + b"9" * 9000) + b"}}",
        "undecodable",
    ),
}


@pytest.fixture
async def name(kafka_bootstrap: str, request: pytest.FixtureRequest) -> str:
    name = "bad-" + str(abs(hash(request.node.name)) % 10**8)
    await make_topics(kafka_bootstrap, name)
    return name


async def write(bootstrap: str, records: list[NewRecord]) -> None:
    writer = KafkaLog(bootstrap, SESSION_MS).writer("raw")
    await writer.start()
    for record in records:
        await (await writer.append(record))
    await writer.stop()


@pytest.fixture
async def log(kafka_bootstrap: str) -> AsyncIterator[KafkaLog]:
    log = KafkaLog(kafka_bootstrap, SESSION_MS)
    yield log
    await log.close()


async def settled(bootstrap: str, name: str) -> Ledger:
    ledger = Ledger(bootstrap, name)
    await ledger.settle()
    ledger.check()
    return ledger


def answer_of(ledger: Ledger, partition: int, offset: int) -> str:
    body = ledger.outcomes[partition][offset].body()
    trouble = body.fault or body.refusal
    return "duplicate" if body.duplicate_of is not None else trouble.code if trouble else "accepted"


async def test_every_body_gets_its_one_outcome_with_the_reason(kafka_bootstrap: str, name: str) -> None:
    where = TopicPartition(f"{name}.commands", partition_of("a", PARTITIONS))
    await write(kafka_bootstrap, [NewRecord(*where, b"a", body) for body, _ in BODIES.values()])
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        await sender.send(add("good"))
        ledger = await settled(kafka_bootstrap, name)
    answers = {what: answer_of(ledger, where.partition, offset) for offset, what in enumerate(BODIES)}
    assert answers == {what: expected for what, (_, expected) in BODIES.items()}
    assert answer_of(ledger, where.partition, len(BODIES)) == "accepted"


@pytest.mark.parametrize(
    ("headers", "what"),
    [
        ((), "missing"),
        (((TRACEPARENT, TRACE), (TRACEPARENT, TRACE)), "doubled"),
        (((TRACEPARENT, b"00-zz-zz-01"),), "garbled"),
        (((TRACEPARENT, b"0" * 500_000),), "oversized"),
        (((HEADER, b"not a command's business"),), "of another topic"),
        (tuple((f"h{number}", b"") for number in range(5000)), "too many"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_commands_headers_decide_nothing(
    kafka_bootstrap: str, name: str, headers: tuple[tuple[str, bytes], ...], what: str
) -> None:
    where = TopicPartition(f"{name}.commands", partition_of("a", PARTITIONS))
    await write(kafka_bootstrap, [NewRecord(*where, b"a", add(what).model_dump_json().encode(), headers)])
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        await sender.send(add("good"))
        ledger = await settled(kafka_bootstrap, name)
    assert ledger.codes() == {"accepted": 2}


async def test_a_key_in_the_wrong_place_is_told_where_it_belongs(kafka_bootstrap: str, name: str) -> None:
    right = partition_of("a", PARTITIONS)
    wrong = TopicPartition(f"{name}.commands", 1 - right)
    body = add("c1").model_dump_json().encode()
    keys = (b"a", None, b"", b"\xff", b"k" * 100_000)
    await write(kafka_bootstrap, [NewRecord(*wrong, key, body) for key in keys])
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        await sender.send(add("c1"))
        ledger = await settled(kafka_bootstrap, name)
    assert ledger.codes() == {"wrong-partition": 1, "wrong-key": 4, "accepted": 1}
    fault = ledger.outcomes[wrong.partition][0].body().fault
    assert fault is not None
    assert fault.message == f"expected partition {right} for this key, got {wrong.partition}"


async def test_what_a_stranger_writes_into_the_events_is_counted_and_costs_one_claim_and_an_alarm(
    kafka_bootstrap: str, name: str, log: KafkaLog, caplog: pytest.LogCaptureFixture
) -> None:
    partitions = [TopicPartition(f"{name}.events", number) for number in range(PARTITIONS)]
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        for number in range(20):
            await sender.send(add(f"c{number}", aggregate=f"a{number}"))
        before = await settled(kafka_bootstrap, name)
        assert await strangers.write(log, partitions, Random(1)) == 15 * PARTITIONS
        for number in range(20):
            await sender.send(add(f"d{number}", aggregate=f"a{number}"))
        after = await settled(kafka_bootstrap, name)
    alarms = [record.getMessage() for record in caplog.records if FOREIGN in record.getMessage()]
    assert sorted(alarms) == [f"{name} partition {number}: {FOREIGN}" for number in range(PARTITIONS)]
    assert before.ignored == 0
    assert after.codes() == {"accepted": 40}
    assert after.total() == 40
    for partition in range(PARTITIONS):
        ignored = {verdict.value: count for verdict, count in after.folds[partition].ignored.items()}
        assert ignored["malformed"] == 9
        assert ignored["stale-claim"] >= 3, "the stranger's, and what the owner wrote before it saw the claim"
        assert ignored["broken-chain"] >= 1


TABLE_BODIES: dict[str, tuple[dict[str, object], str]] = {
    "a kind of command that nobody knows": ({"type": "fly"}, "undecodable"),
    "no kind at all": ({}, "undecodable"),
    "a tile that there is not": ({"type": "play-tile", "turn": 1, "tile": "9-9"}, "undecodable"),
    "a turn of thousands of digits": ({"type": "play-tile", "turn": 10**4000, "tile": "6-6"}, "undecodable"),
    "another kind of aggregate's command": ({"type": "join-queue", "pool": {"preset": "draw"}}, "undecodable"),
    "one MiB": ({"type": "sit-down", "client_seed": HUGE}, "undecodable"),
}


async def test_what_the_table_cannot_decide_is_a_dead_letter_with_the_reason(
    kafka_bootstrap: str, redis_url: str
) -> None:
    async with product(kafka_bootstrap, f"{redis_url.rstrip('/')}/5") as town:
        table_id = str(ULID()).lower()
        where = TopicPartition("table.commands", partition_of(table_id, PARTITIONS_LOCAL))
        bodies = [command(payload, table_id, id=what) for what, (payload, _) in TABLE_BODIES.items()]
        await write(kafka_bootstrap, [NewRecord(*where, table_id.encode(), body) for body in bodies])
        for what, (_, expected) in TABLE_BODIES.items():
            record = await town.find("table.dead", partial(is_letter, table_id, what))
            letter = DeadLetter.model_validate_json(record.value or b"")
            assert (letter.topic, letter.code, letter.principal) == ("table.commands", expected, "bad")
            assert 0 < len(letter.message) < 400
        seats = (Reservation(account="ann"), Reservation(account="bob"))
        ruleset = {"preset": "draw", "seats": 2, "target": 50}
        answer = await town.ask("table", table_id, "lobby", OpenTable(ruleset=ruleset, seats=seats, region="eu"))
    assert answer.refusal is None
    assert answer.fault is None


def is_letter(table_id: str, command_id: str, record: Record) -> bool:
    letter = DeadLetter.model_validate_json(record.value or b"")
    return record.key == table_id.encode() and letter.command_id == command_id
