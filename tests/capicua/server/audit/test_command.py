import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from tests.capicua.server.audit.scribe import ADDED, Scribe, alarm

from bus.kafka import KafkaLog
from bus.records import NewRecord
from capicua.server.audit import Known, Report
from capicua.server.audit.command import lines

CAPICUA = str(Path(sys.executable).with_name("capicua"))


def capicua(*arguments: str, bootstrap: str = "127.0.0.1:1") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "KAFKA_BOOTSTRAP": bootstrap, "COLUMNS": "200"}
    return subprocess.run([CAPICUA, "admin", "audit", *arguments], env=environment, capture_output=True, text=True)


def test_without_a_broker_one_sentence_says_what_to_do() -> None:
    done = capicua()
    assert (done.returncode, done.stdout) == (2, "")
    assert "'capicua status' tells" in done.stderr


def test_half_a_credential_is_told_without_repeating_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKA_PASSWORD", "a-secret")
    done = capicua()
    assert done.returncode == 2
    assert "expected KAFKA_USERNAME and KAFKA_PASSWORD together" in done.stderr
    assert "a-secret" not in done.stderr + done.stdout


def test_what_is_no_event_topic_is_not_read() -> None:
    done = capicua("table.commands")
    assert done.returncode == 2
    assert "Expected event topics, as table.events, lobby.events, got table.commands." in done.stderr


def test_the_states_of_a_ledger_are_no_outcomes_and_are_not_judged() -> None:
    done = capicua("account.events")
    assert done.returncode == 2
    assert "got account.events." in done.stderr


@pytest.fixture(scope="module")
async def forged(kafka_bootstrap: str) -> str:
    """A topic pair `forged` whose outcomes claim another time than the broker gave their commands."""
    admin = AIOKafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    await admin.start()
    times = {"message.timestamp.type": "LogAppendTime"}
    await admin.create_topics(
        [NewTopic(f"forged.{kind}", 1, 1, topic_configs=times) for kind in ("commands", "events")]
    )
    await admin.close()
    written = Scribe("forged.events").begin()
    written.outcome(events=[ADDED])
    writer = KafkaLog(kafka_bootstrap, 2000).writer("test")
    await writer.start()
    for record in (*written.commands, *written.events):
        await (await writer.append(NewRecord(record.topic, 0, record.key, record.value, record.headers)))
    await writer.stop()
    return kafka_bootstrap


def test_a_forged_log_is_told_and_shows_in_the_exit_status(forged: str) -> None:
    done = capicua("forged.events", bootstrap=forged)
    assert (done.returncode, done.stderr) == (1, "")
    assert "VIOLATION forged.commands:0:0: wrong-time: expected" in done.stdout
    last = "violations, wrong-time: 1 (the outcome's `at` is not the command's own time)\nNOT clean.\n"
    assert done.stdout.endswith(last)


def test_programs_get_one_json_object(forged: str) -> None:
    done = capicua("forged.events", "--json", "--settled", bootstrap=forged)
    assert done.returncode == 1
    body = json.loads(done.stdout)
    assert (body["clean"], body["counts"], body["valid"]) == (False, {"wrong-time": 1}, 1)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_output_that_nobody_reads_is_no_violation(forged: str, options: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "KAFKA_BOOTSTRAP": forged}
    command = [CAPICUA, "admin", "audit", "forged.events", *options]
    done = subprocess.run(command, env=environment, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_topic_that_is_not_there_cannot_be_read(forged: str) -> None:
    done = capicua("nothing.events", bootstrap=forged)
    assert done.returncode == 2
    said = "The log cannot be read: expected topic nothing.events, got no such topic, or no answer.\n"
    assert (done.stdout, done.stderr) == ("", said)


def test_people_read_what_was_found_and_where() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED], deadline=alarm())
    log.outcome(deadline=None)
    log.beat(b"z" * 16)
    said = list(lines(log.report(Known(settled=True))))
    assert said[0].startswith("5 records and 2 commands in 1 partitions: 2 valid outcomes (0 refusals")
    assert "void, zombie-heartbeat: 1 (a heartbeat under a claim that was the newest once)" in said
    assert any(line.startswith("VIOLATION tally.events:0:3 a: deadline-missing: expected Deadline(") for line in said)
    assert said[-2:] == [
        "violations, deadline-missing: 1 (nothing changed, and the standing deadline is not told)",
        "NOT clean.",
    ]
    assert list(lines(Report()))[-1] == "Clean."


def test_a_report_is_json() -> None:
    log = Scribe().begin()
    log.outcome()
    log.outcome(at=0)
    body = json.loads(json.dumps(log.report().to_json()))
    assert body["clean"] is False
    assert (body["valid"], body["counts"]) == (2, {"wrong-time": 1})
    assert body["violations"][0] == {
        "cause": "wrong-time", "topic": "tally.commands", "partition": 0, "offset": 1, "aggregate": "",
        "expected": str(log.now), "got": "0",
    }  # fmt: skip
