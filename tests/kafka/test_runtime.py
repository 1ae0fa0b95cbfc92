"""The decider runtime on a real broker, with owners that die, pause and come back, and sends that go wrong."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.bus.tally import TallyDecider
from tests.kafka.deciding import running
from tests.kafka.ledger import (
    SESSION_MS,
    Ledger,
    make_topics,
    send_many,
    send_raw,
    sender_to,
    tally_process,
)

from bus.continuity import WrongLog
from bus.header import HEADER, Claim, pack
from bus.kafka import KafkaLog, KafkaWriter
from bus.parts import Parts
from bus.records import LogWriter, NewRecord
from bus.runtime import DeciderRuntime

Rule = Callable[[NewRecord, int], str]


class FaultyWriter:
    """A real writer that, where the rule says so, loses a record, or reports a failure for one that has landed."""

    def __init__(self, writer: KafkaWriter, rule: Rule) -> None:
        self._writer = writer
        self._rule = rule
        self._count = 0

    async def start(self) -> None:
        await self._writer.start()

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        future: asyncio.Future[object]
        if record.value:
            self._count += 1
            match self._rule(record, self._count):
                case "lost":
                    future = asyncio.get_running_loop().create_future()
                    future.set_result(None)
                    return future
                case "unknown, not landed":
                    future = asyncio.get_running_loop().create_future()
                    future.set_exception(TimeoutError())
                    return future
                case "unknown, landed":
                    await (await self._writer.append(record))
                    future = asyncio.get_running_loop().create_future()
                    future.set_exception(TimeoutError())
                    return future
        return await self._writer.append(record)

    async def stop(self) -> None:
        await self._writer.stop()


class FaultyLog(KafkaLog):
    """A log whose first outcome-writing writers follow `rule`; `faults` counts how often it bit."""

    def __init__(self, bootstrap: str, rule: Rule, writers: int = 2) -> None:
        super().__init__(bootstrap, SESSION_MS)
        self._rule = rule
        self._left = writers
        self.faults = 0

    def writer(self, name: str) -> LogWriter:  # type: ignore[override]  # a wrapped one
        writer = super().writer(name)
        if self._left == 0:
            return writer
        self._left -= 1
        return FaultyWriter(writer, self._count)

    def _count(self, record: NewRecord, number: int) -> str:
        fault = self._rule(record, number)
        self.faults += bool(fault)
        return fault


@pytest.fixture
async def name(kafka_bootstrap: str, request: pytest.FixtureRequest) -> str:
    name = "tally-" + str(abs(hash(request.node.name)) % 10**8)
    await make_topics(kafka_bootstrap, name)
    return name


async def test_every_command_gets_one_outcome_and_a_repeated_id_the_first_answer(
    kafka_bootstrap: str, name: str
) -> None:
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        await send_many(sender, "c", 200)
        await send_many(sender, "c", 40, first=160)
        ledger = Ledger(kafka_bootstrap, name)
        await ledger.settle()
    ledger.check()
    assert ledger.codes() == {"accepted": 200, "duplicate": 40}
    assert ledger.total() == 200
    assert ledger.ignored == 0


async def test_an_undecodable_command_becomes_a_fault_and_the_partition_goes_on(
    kafka_bootstrap: str, name: str
) -> None:
    for partition in (0, 1):
        await send_raw(kafka_bootstrap, NewRecord(f"{name}.commands", partition, b"x", b"\xff not json"))
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        await send_many(sender, "c", 10)
        ledger = Ledger(kafka_bootstrap, name)
        await ledger.settle()
    ledger.check()
    assert ledger.codes() == {"undecodable": 2, "accepted": 10}


@pytest.mark.parametrize("fault", ["lost", "unknown, not landed", "unknown, landed"])
async def test_a_send_that_goes_wrong_in_a_pipelined_series_loses_and_doubles_nothing(
    kafka_bootstrap: str, name: str, fault: str
) -> None:
    async with sender_to(kafka_bootstrap, name) as sender:
        await send_many(sender, "c", 300)
        log = FaultyLog(kafka_bootstrap, lambda record, number: fault if number == 20 else "")
        async with running(log, name):
            ledger = Ledger(kafka_bootstrap, name)
            await ledger.settle()
    ledger.check()
    assert log.faults == 2
    assert ledger.total() == 300
    assert ledger.codes() == {"accepted": 300}
    if fault == "lost":
        assert ledger.ignored > 0, "what followed the lost record is in the log and counts for nobody"


async def test_a_strangers_claim_costs_one_claim_and_nothing_else(kafka_bootstrap: str, name: str) -> None:
    async with running(KafkaLog(kafka_bootstrap, SESSION_MS), name), sender_to(kafka_bootstrap, name) as sender:
        await send_many(sender, "c", 50)
        header = ((HEADER, pack(Claim(b"s" * 16, 0))),)
        for partition in (0, 1):
            await send_raw(kafka_bootstrap, NewRecord(f"{name}.events", partition, None, b"", header))
        await send_many(sender, "d", 50)
        ledger = Ledger(kafka_bootstrap, name)
        await ledger.settle()
    ledger.check()
    assert ledger.total() == 100


async def test_another_process_takes_over_from_a_killed_one(kafka_bootstrap: str, name: str, tmp_path: Path) -> None:
    async with sender_to(kafka_bootstrap, name) as sender:
        async with tally_process(kafka_bootstrap, name, tmp_path):
            await send_many(sender, "c", 100)
            await Ledger(kafka_bootstrap, name).settle()
            await send_many(sender, "d", 100)
        await send_many(sender, "e", 100)
        async with tally_process(kafka_bootstrap, name, tmp_path):
            ledger = Ledger(kafka_bootstrap, name)
            await ledger.settle()
    ledger.check()
    assert ledger.total() == 300
    assert ledger.codes() == {"accepted": 300}


async def test_a_paused_owner_that_comes_back_changes_nothing(kafka_bootstrap: str, name: str, tmp_path: Path) -> None:
    async with (
        sender_to(kafka_bootstrap, name) as sender,
        tally_process(kafka_bootstrap, name, tmp_path) as paused,
    ):
        await send_many(sender, "c", 100)
        await Ledger(kafka_bootstrap, name).settle()
        paused.send_signal(signal.SIGSTOP)
        await send_many(sender, "d", 100)
        async with tally_process(kafka_bootstrap, name, tmp_path):
            await Ledger(kafka_bootstrap, name).settle()
            paused.send_signal(signal.SIGCONT)
            await send_many(sender, "e", 100)
            ledger = Ledger(kafka_bootstrap, name)
            await ledger.settle()
    ledger.check()
    assert ledger.total() == 300


async def test_commands_without_the_brokers_time_stop_the_service(kafka_bootstrap: str, name: str) -> None:
    name = f"{name}-created"
    await make_topics(kafka_bootstrap, name, command_time="CreateTime")
    async with sender_to(kafka_bootstrap, name) as sender:
        await send_many(sender, "c", 1)
    log = KafkaLog(kafka_bootstrap, SESSION_MS)
    runtime = DeciderRuntime(TallyDecider(name), Parts(log), SESSION_MS)
    await runtime.start()
    with pytest.raises(WrongLog, match=r"expected message\.timestamp\.type LogAppendTime"):
        async with asyncio.timeout(30):
            await runtime.run()
    await runtime.stop()
    await log.close()
