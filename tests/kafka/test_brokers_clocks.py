"""Two real brokers, one with its clock ahead: an alarm says so, and when leaders move, nobody loses time by it."""

import asyncio
import logging
import platform
import sys
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from bench.gameday.steering import Steering
from tests.kafka.deciding import running
from tests.kafka.ledger import PARTITIONS, SESSION_MS, Ledger, send_many, sender_to

from bus.kafka import KafkaLog
from bus.local import Home
from bus.local.cluster import Cluster, start_embedded_cluster
from bus.partitioning import partition_of
from contracts.envelope import CommandEnvelope, TimeOut

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="the library that gives a program another clock is built for Linux on x86-64 alone",
)
NAME = "clocks"
RIGHT, AHEAD = 1, 2
AHEAD_MS = 15_000
ALARM_SECONDS_MAX = 120
DEADLINE_MS = AHEAD_MS - 100
"""Over as soon as the leader that is ahead has it, if its clock were believed; else not before the test is."""
AGGREGATES = 7
ROUNDING_MS = 100
"""Of the two clocks' difference, that may be missing from the time that is given back."""


def another_clock() -> dict[str, str]:
    """What makes a program see another wall clock, and the true monotonic one: time namespaces have no wall clock, and
    this library comes as a wheel."""
    spec = find_spec("libfaketime")
    assert spec is not None
    assert spec.origin is not None
    library = Path(spec.origin).parent / "vendor/libfaketime/src/libfaketime.so.1"
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME": f"+{AHEAD_MS / 1000}",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
    }


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    cluster = await start_embedded_cluster(Home(tmp_path), brokers=2, environments={AHEAD: another_clock()})
    yield cluster
    await cluster.stop()


async def make_topics(cluster: Cluster) -> None:
    """Both brokers have all; each leads one of the two partitions."""
    admin = AIOKafkaAdminClient(bootstrap_servers=cluster.address)
    await admin.start()
    config = {"message.timestamp.type": "LogAppendTime", "retention.ms": "-1", "min.insync.replicas": "1"}
    replicas = {0: [RIGHT, AHEAD], 1: [AHEAD, RIGHT]}
    topics = [
        NewTopic(f"{NAME}.{kind}", -1, -1, replica_assignments=replicas, topic_configs=config)
        for kind in ("commands", "events")
    ]
    await admin.create_topics(topics)
    await admin.close()


def command(command_id: str, number: int, body: dict[str, Any]) -> CommandEnvelope:
    return CommandEnvelope(id=command_id, principal="tester", aggregate=f"a{number}", command=body)


class Alarm(logging.Handler):
    """Waits for the word that the clocks differ."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.text: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def emit(self, record: logging.LogRecord) -> None:
        if "clocks differ" in record.getMessage() and not self.text.done():
            self.text.set_result(record.getMessage())


@pytest.fixture
async def alarm() -> AsyncIterator[Alarm]:
    alarm, log = Alarm(), logging.getLogger("bus.skew")
    log.addHandler(alarm)
    yield alarm
    log.removeHandler(alarm)


@pytest.mark.timeout(240)
async def test_a_broker_whose_clock_is_ahead_is_told_and_ends_no_deadline_early(cluster: Cluster, alarm: Alarm) -> None:
    await make_topics(cluster)
    steering, ledger = Steering(cluster.address), Ledger(cluster.address, NAME)
    await steering.whole()
    async with running(KafkaLog(cluster.address, SESSION_MS), NAME), sender_to(cluster.address, NAME) as sender:
        await send_many(sender, "before-", AGGREGATES)
        said = await asyncio.wait_for(alarm.text, ALARM_SECONDS_MAX)
        assert ":1 is ahead" in said
        for number in range(AGGREGATES):
            await sender.send(command(f"arm-{number}", number, {"type": "arm", "milliseconds": DEADLINE_MS}))
        for kind in ("commands", "events"):
            await steering.move_leaders(f"{NAME}.{kind}")
        jumped = [number for number in range(AGGREGATES) if partition_of(f"a{number}", PARTITIONS) == 0]
        for number in jumped:
            await sender.send(command(f"ring-{number}", number, TimeOut(kind="alarm", ref="alarm-0").model_dump()))
        await ledger.settle()
    ledger.check()
    assert ledger.codes() == {"accepted": 2 * AGGREGATES, "too-early": len(jumped)}
    lost = sum(outage.end - outage.begin for outage in ledger.folds[0].validity.outages.known)
    assert lost >= AHEAD_MS - ROUNDING_MS
    assert ledger.folds[1].validity.outages.known == (), "a clock that goes back is no outage"
