"""The command as people call it, on a real broker: what it tells and refuses, and that it writes only when told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from tests.capicua.server.audit.scribe import ADDED, Scribe

from bus.kafka import KafkaLog
from bus.records import NewRecord, Record, TopicPartition
from capicua.server.skip.command import check_decider
from capicua.server.skip.plan import Refused

CAPICUA = str(Path(sys.executable).with_name("capicua"))
EVENTS = TopicPartition("stuck.events", 0)


def skip(*arguments: str, bootstrap: str = "127.0.0.1:1") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "KAFKA_BOOTSTRAP": bootstrap, "COLUMNS": "200"}
    return subprocess.run([CAPICUA, "admin", "skip", *arguments], env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
async def stuck(kafka_bootstrap: str) -> str:
    """A decider `stuck` of two partitions: in the first one command is decided and three wait, the second is empty."""
    admin = AIOKafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    await admin.start()
    times = {"message.timestamp.type": "LogAppendTime"}
    await admin.create_topics([NewTopic(f"stuck.{kind}", 2, 1, topic_configs=times) for kind in ("commands", "events")])
    await admin.close()
    written = Scribe(EVENTS.topic).begin()
    written.outcome(events=[ADDED])
    for name in ("b", "c", "d"):
        written.command(name)
    await append(kafka_bootstrap, *written.commands, *written.events)
    return kafka_bootstrap


async def append(bootstrap: str, *records: Record) -> None:
    writer = KafkaLog(bootstrap, 2000).writer("test")
    await writer.start()
    for record in records:
        await (await writer.append(NewRecord(record.topic, 0, record.key, record.value, record.headers)))
    await writer.stop()


async def event_count(bootstrap: str) -> int:
    log = KafkaLog(bootstrap, 2000)
    try:
        return (await log.bounds(EVENTS))[1]
    finally:
        await log.close()


def test_a_ledgers_commands_are_not_passed_over() -> None:
    topics = {f"{owner}.{kind}" for owner in ("account", "stuck") for kind in ("commands", "events")}
    check_decider("stuck", topics)
    with pytest.raises(Refused, match="one of stuck, got account"):
        check_decider("account", topics)


async def test_without_yes_it_tells_what_it_would_do_and_writes_nothing(stuck: str) -> None:
    before = await event_count(stuck)
    done = skip("stuck", "0", "--to", "2", "--reason", "poison", bootstrap=stuck)
    assert (done.returncode, done.stderr) == (0, "")
    first, second, *commands, last = done.stdout.splitlines()
    assert first == "stuck.commands:0 holds 0 to before 4; the next command is 1."
    assert second == "To pass over: 1 to 2, 2 in all, 0 expired, 2 there."
    assert [line.rpartition("  age ")[0] for line in commands] == ["  1  key 'b'", "  2  key 'c'"]
    assert last.endswith("to pass them over, add --yes.")
    assert "principal" not in done.stdout
    assert await event_count(stuck) == before


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("nobody", "0", "--to", "2"), "expected a decider, one of "),
        (("stuck", "2", "--to", "2"), "stuck.events: expected a partition from 0 to 1, got 2."),
        (("stuck", "0", "--to", "0"), "stuck.commands:0: expected --to from 1 to 3, got 0: the next command is 1"),
        (("stuck", "0", "--to", "4"), "stuck.commands:0: expected --to from 1 to 3, got 4"),
        (("stuck", "1", "--to", "0"), "stuck.commands:1: expected an event log that begins with a founding record"),
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_is_written(
    stuck: str, arguments: tuple[str, ...], why: str
) -> None:
    before = await event_count(stuck)
    done = skip(*arguments, "--reason", "poison", "--yes", bootstrap=stuck)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Refused: {why}")
    assert await event_count(stuck) == before


@pytest.mark.parametrize("reason", ["", "x" * 256])
def test_a_reason_that_the_header_cannot_hold_is_refused_before_anybody_is_asked(reason: str) -> None:
    done = skip("table", "0", "--to", "2", "--reason", reason)
    assert done.returncode == 2
    assert done.stderr.startswith("Refused: ")


def test_without_a_broker_one_sentence_says_what_to_do() -> None:
    done = skip("table", "0", "--to", "2", "--reason", "poison", "--yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'capicua status' tells" in done.stderr
