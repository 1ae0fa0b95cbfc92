"""`capicua admin timers` on a log that a decider really writes: while it runs without a timer, and once it is gone."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.kafka.deciding import running
from tests.kafka.ledger import SESSION_MS, make_topics, sender_to

from bus.kafka import KafkaLog
from contracts.envelope import CommandEnvelope

CAPICUA = str(Path(sys.executable).with_name("capicua"))
HOUR_MS = 3_600_000
SECONDS_MAX = 150


async def arm(bootstrap: str, name: str, aggregate: str, length: int) -> None:
    command = {"type": "arm", "milliseconds": length}
    async with sender_to(bootstrap, name) as sender:
        await sender.send(
            CommandEnvelope(id=f"arm-{aggregate}", principal="tester", aggregate=aggregate, command=command)
        )


async def timers(bootstrap: str, name: str) -> tuple[int, dict[str, Any]]:
    process = await asyncio.create_subprocess_exec(
        *(CAPICUA, "admin", "timers", f"{name}.events", "--json", "--overdue", "5"),
        env={**os.environ, "KAFKA_BOOTSTRAP": bootstrap},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    output, trouble = await process.communicate()
    assert (process.returncode in (0, 1), trouble) == (True, b"")
    return process.returncode or 0, json.loads(output)


async def test_what_an_owner_arms_is_seen_and_then_missed_where_there_is_no_timer(kafka_bootstrap: str) -> None:
    name = "armed-without-timer"
    await make_topics(kafka_bootstrap, name)
    async with asyncio.timeout(SECONDS_MAX):
        async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name):
            await arm(kafka_bootstrap, name, "patient", HOUR_MS)
            status, found = await timers(kafka_bootstrap, name)
            while status or not found["kinds"]:
                status, found = await timers(kafka_bootstrap, name)
            assert (found["healthy"], found["clock"], found["silent"], found["overdue"]) == (True, "broker", [], [])
            assert [(row["kind"], row["armed"], row["overdue"]) for row in found["kinds"]] == [("alarm", 1, 0)]
            assert 0 < found["kinds"][0]["next_due"] - found["now"] <= HOUR_MS
            await arm(kafka_bootstrap, name, "missed", 1)
            while not found["overdue"]:
                status, found = await timers(kafka_bootstrap, name)
            assert (status, found["kinds"][0]["armed"]) == (1, 2)
            [missed] = found["overdue"]
            assert (missed["aggregate"], missed["ref"]) == ("missed", "alarm-0")
            assert missed["late_ms"] > 1000
        while not found["silent"]:
            status, found = await timers(kafka_bootstrap, name)
    assert (status, found["kinds"][0]["put_off"], found["kinds"][0]["overdue"]) == (1, 1, 1)
