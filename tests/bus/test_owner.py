import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from tests.bus.owning import decided, send, until_decided
from tests.bus.tally import TallyDecider
from tests.memory_log import MemoryLog, MemoryWriter, let_everybody_run

from bus.header import HEADER, Claim, Founding, Heartbeat, Jump, OutcomeHeader, pack, unpack
from bus.hearing import TELLS_OF_SILENCES
from bus.outages import GRACE_MS
from bus.records import NewRecord, Record, TopicPartition
from bus.runtime import DeciderRuntime

EVENTS = TopicPartition("tally.events", 0)
COMMANDS = TopicPartition("tally.commands", 0)
RIVAL = b"r" * 16


@dataclass
class RivalWriter(MemoryWriter):
    """The first claim of all has another one right behind it."""

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        future = await super().append(record)
        claims = [header for header in map(kind, self.log.all(EVENTS.topic)) if isinstance(header, Claim)]
        if len(claims) == 1:
            self.log.put(NewRecord(*EVENTS, None, b"", ((HEADER, pack(Claim(RIVAL, 0))),)))
        return future


class RivalLog(MemoryLog):
    def writer(self, _: str) -> RivalWriter:
        return RivalWriter(self)


class AheadLog(MemoryLog):
    """The clock of its second partition's leader is an hour ahead."""

    def put(self, record: NewRecord) -> Record:
        stored = super().put(record)
        if record.partition == 1:
            stored = replace(stored, timestamp=stored.timestamp + 3_600_000)
            self.records[TopicPartition(record.topic, 1)][-1] = stored
        return stored


@dataclass
class ForgetfulLog(MemoryLog):
    """Loses the first record of the kind `loses`; what its writer waits for is `lost`."""

    loses: type = Claim
    lost: "asyncio.Future[object] | None" = None

    def writer(self, _: str) -> "ForgetfulWriter":
        return ForgetfulWriter(self)


@dataclass
class ForgetfulWriter(MemoryWriter):
    log: ForgetfulLog

    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        if self.log.lost is not None or not isinstance(unpack(record.headers[0][1]), self.log.loses):
            return await super().append(record)
        self.log.lost = asyncio.get_running_loop().create_future()
        return self.log.lost


def kind(record: Record) -> object:
    return unpack(record.header(HEADER))


@asynccontextmanager
async def owning(log: MemoryLog) -> AsyncIterator[None]:
    """A process that owns every partition."""
    log.assigned = {COMMANDS._replace(partition=number) for number in range(log.partitions)}
    parts = replace(log.parts(), chance=lambda: 0.0)
    runtime = DeciderRuntime(TallyDecider(), parts, session_ms=2000)
    await runtime.start()
    work = asyncio.create_task(runtime.run())
    try:
        yield
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


async def test_a_claim_that_another_one_follows_at_once_is_given_up_and_made_again() -> None:
    log = RivalLog(partitions=1)
    async with owning(log):
        records = await log.until(EVENTS.topic, 5)
    _, first, rival, *later = map(kind, records)
    assert isinstance(first, Claim)
    assert rival == Claim(RIVAL, 0)
    again = next(header for header in later if isinstance(header, Claim))
    assert again.owner not in (first.owner, RIVAL)
    assert later[later.index(again) + 1 :][0] == Heartbeat(again.owner, TELLS_OF_SILENCES)


async def test_nobody_claims_a_log_before_it_is_founded() -> None:
    log = ForgetfulLog(partitions=1, loses=Founding)
    async with owning(log):
        while log.lost is None:
            await let_everybody_run()
        await let_everybody_run()
        assert log.all(EVENTS.topic) == []
        log.lost.set_exception(ConnectionError())
        founding, claim = map(kind, (await log.until(EVENTS.topic, 2))[:2])
    assert isinstance(founding, Founding)
    assert isinstance(claim, Claim)


async def test_a_claim_whose_send_fails_is_made_again() -> None:
    log = ForgetfulLog(partitions=1)
    async with owning(log):
        await log.until(EVENTS.topic, 1)
        await let_everybody_run()
        assert log.lost is not None
        log.lost.set_exception(ConnectionError())
        _, claim, heartbeat = map(kind, await log.until(EVENTS.topic, 3))
    assert isinstance(claim, Claim)
    assert heartbeat == Heartbeat(claim.owner, TELLS_OF_SILENCES)


async def test_what_the_group_is_told_of_are_outcomes_that_the_log_has_shown() -> None:
    log = ForgetfulLog(partitions=1, loses=OutcomeHeader)
    async with owning(log):
        send(log, "a", {"type": "add", "number": 1}, "lost")
        while log.lost is None:
            await let_everybody_run()
        assert log.commits == {}
        log.lost.set_exception(ConnectionError())
        await log.until_committed("tally", COMMANDS, 0)
        assert log.commits["tally"] == {COMMANDS: 0}


async def test_a_timeout_that_only_a_jump_of_the_clock_made_due_is_too_early_for_everybody() -> None:
    log = MemoryLog(partitions=1)
    async with owning(log):
        send(log, "a", {"type": "arm", "milliseconds": 1000}, "arm")
        await until_decided(log, '"arm"')
        await let_everybody_run()
        log.clock.jump(2000)
        send(log, "a", {"type": "time-out", "kind": "alarm", "ref": "alarm-0"}, "ring")
        await until_decided(log, '"ring"')
    armed, early = decided(log)
    assert early.refusal is not None
    assert (early.refusal.code, early.refusal.expected) == ("too-early", f"after {armed.at + 1000 + 2000 + GRACE_MS}")
    told = [header.jump for header in map(kind, log.all(EVENTS.topic)) if isinstance(header, Heartbeat) and header.jump]
    assert told == [TELLS_OF_SILENCES, Jump(armed.at, armed.at + 2000)]


async def test_the_leader_of_another_partition_says_nothing_of_when_a_command_was_decided() -> None:
    log = AheadLog(partitions=2)
    async with owning(log):
        await log.until(EVENTS.topic, 6)  # both partitions are founded, claimed, and heard of
        await let_everybody_run()
        send(log, "b", {"type": "arm", "milliseconds": 1000}, "arm")
        armed = await until_decided(log, '"arm"')
    assert armed.fault is None
    assert armed.decided_at == armed.at == log.clock.now
