import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench.__main__ import PARTS

from bus.kafka import KafkaLog
from bus.partitioning import partition_of
from bus.records import NewRecord
from bus.topics import ensure_topics
from contracts.envelope import DeadLetter
from contracts.topics import PARTITIONS_LOCAL

CAPICUA = str(Path(sys.executable).with_name("capicua"))
LETTER = DeadLetter(
    topic="table.commands", partition=3, offset=17, code="undecodable", message="expected a command envelope",
    command_id="c-1", principal="g1",
)  # fmt: skip


def capicua(*arguments: str, bootstrap: str = "127.0.0.1:1") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "KAFKA_BOOTSTRAP": bootstrap, "COLUMNS": "200"}
    return subprocess.run([CAPICUA, *arguments], env=environment, capture_output=True, text=True)


@pytest.fixture
async def one_dead_letter(kafka_bootstrap: str) -> str:
    await ensure_topics(kafka_bootstrap, PARTITIONS_LOCAL)
    log = KafkaLog(kafka_bootstrap, 2000)
    writer = log.writer("test")
    await writer.start()
    partition = partition_of("admin-table", PARTITIONS_LOCAL)
    await (await writer.append(NewRecord("table.dead", partition, b"admin-table", LETTER.model_dump_json().encode())))
    await writer.stop()
    return kafka_bootstrap


def test_dead_letters_are_listed_with_place_sender_and_reason(one_dead_letter: str) -> None:
    done = capicua("admin", "dead-letters", bootstrap=one_dead_letter)
    assert done.returncode == 0, done.stderr
    assert "table.commands:3:17 from g1: undecodable: expected a command envelope" in done.stdout.splitlines()


def test_dead_letters_are_json_for_programs(one_dead_letter: str) -> None:
    done = capicua("admin", "dead-letters", "--json", bootstrap=one_dead_letter)
    assert LETTER.model_dump() in [json.loads(line) for line in done.stdout.splitlines()]


def test_without_a_broker_one_sentence_says_what_to_do() -> None:
    done = capicua("admin", "dead-letters")
    assert (done.returncode, done.stderr) == (1, "")
    assert "'capicua status' tells" in done.stdout


def test_bench_knows_its_parts() -> None:
    done = capicua("bench", "nothing")
    assert done.returncode == 1
    assert f"expected some of {', '.join(PARTS)}, got nothing" in done.stderr
