"""The command as people call it, on a real broker."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from tests.capicua.server.audit.scribe import ADDED, NOON, Scribe, alarm

from bus.decider import Deadline
from bus.kafka import KafkaLog
from bus.records import NewRecord
from bus.topics import ensure_topics
from contracts.topics import PARTITIONS_LOCAL

CAPICUA = str(Path(sys.executable).with_name("capicua"))
EVENTS = "missed.events"


def timers(*arguments: str, bootstrap: str = "127.0.0.1:1") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "KAFKA_BOOTSTRAP": bootstrap, "COLUMNS": "200"}
    return subprocess.run([CAPICUA, "admin", "timers", *arguments], env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
async def missed(kafka_bootstrap: str) -> str:
    """A decider `missed`: one deadline was missed in 2023, and nothing that counts has ended it; one is ages ahead."""
    admin = AIOKafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    await admin.start()
    times = {"message.timestamp.type": "LogAppendTime"}
    await admin.create_topics([NewTopic(EVENTS, 2, 1, topic_configs=times)])
    await admin.close()
    written = Scribe(EVENTS).begin()
    written.outcome("table", [ADDED], deadline=alarm(length=1000), value=b"not a word of this")
    written.outcome("ages", [ADDED], deadline=Deadline("expiry", "expiry-0", NOON, 2**63 - 1))
    written.outcome("table", [ADDED], deadline=None, header={"owner": b"z" * 16}, counts=False)
    writer = KafkaLog(kafka_bootstrap, 2000).writer("test")
    await writer.start()
    for record in written.events:
        await (await writer.append(NewRecord(record.topic, 0, record.key, record.value, record.headers)))
    await writer.stop()
    return kafka_bootstrap


def test_what_was_missed_is_told_and_shows_in_the_exit_status(missed: str) -> None:
    done = timers(EVENTS, "--overdue", "5", bootstrap=missed)
    assert (done.returncode, done.stderr) == (1, "")
    first, _, alarms, expiry, *rest = done.stdout.splitlines()
    assert first.startswith("5 records in 2 partitions; times by ")
    assert alarms.split()[:3] == ["missed", "alarm", "1"]
    assert expiry.split()[:3] == ["missed", "expiry", "1"]
    assert any(line.startswith(f"OVERDUE {EVENTS}:0 table alarm alarm-0: ") for line in rest)
    assert done.stdout.endswith("NOT well: something is overdue, or waits for an owner.\n")
    assert "not a word" not in done.stdout


def test_programs_get_one_json_object(missed: str) -> None:
    done = timers(EVENTS, "--json", bootstrap=missed)
    assert done.returncode == 1
    body = json.loads(done.stdout)
    assert (body["healthy"], body["records"], body["overdue"]) == (False, 5, [])
    assert [(row["kind"], row["armed"], row["overdue"]) for row in body["kinds"]] == [("alarm", 1, 1), ("expiry", 1, 0)]
    assert body["kinds"][0]["oldest"]["due_at"] == NOON + 1000


@pytest.mark.parametrize("how", [[], ["--whole"]])
async def test_without_a_name_every_decider_is_read(missed: str, how: list[str]) -> None:
    await ensure_topics(missed, PARTITIONS_LOCAL)
    done = timers("--json", *how, bootstrap=missed)
    assert (done.returncode in (0, 1), done.stderr) == (True, "")
    assert json.loads(done.stdout)["partitions"] == 2 * PARTITIONS_LOCAL


def test_an_output_that_nobody_reads_says_nothing(missed: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "KAFKA_BOOTSTRAP": missed}
    done = subprocess.run([CAPICUA, "admin", "timers", EVENTS], env=environment, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_topic_that_is_not_there_cannot_be_read(missed: str) -> None:
    done = timers("nothing.events", bootstrap=missed)
    assert done.returncode == 2
    said = "The log cannot be read: expected topic nothing.events, got no such topic, or no answer.\n"
    assert (done.stdout, done.stderr) == ("", said)


def test_what_is_no_event_topic_is_not_read() -> None:
    done = timers("table.commands")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Expected event topics, as table.events, lobby.events, got table.commands.\n"


@pytest.mark.parametrize(("count", "why"), [("-1", "greater than or equal to 0"), ("some", "valid integer")])
def test_a_list_has_a_length(count: str, why: str) -> None:
    done = timers("--overdue", count)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Invalid value for '--overdue'" in done.stderr
    assert why in done.stderr


def test_half_a_credential_is_told_without_repeating_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKA_PASSWORD", "a-secret")
    done = timers()
    assert done.returncode == 2
    assert "expected KAFKA_USERNAME and KAFKA_PASSWORD together" in done.stderr
    assert "a-secret" not in done.stderr + done.stdout


def test_without_a_broker_one_sentence_says_what_to_do() -> None:
    done = timers()
    assert (done.returncode, done.stdout) == (2, "")
    assert "'capicua status' tells" in done.stderr
