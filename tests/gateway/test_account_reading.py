"""Reading what happens to accounts, on a log in memory."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.memory_log import HandClock, MemoryLog

from bus.health import Progress
from bus.records import LogUnavailable, NewRecord, Record, TopicPartition
from bus.tasks import LoopTasks
from gateway.account_reading import DEAF_SECONDS_MAX, HEARD_SECONDS_MAX, AccountReading
from gateway.ended import KEPT_MS


@dataclass
class TimedMemoryLog(MemoryLog):
    """Does not say how far it has come while `away`."""

    away: bool = False

    async def offsets(self, partitions: Sequence[TopicPartition], since: int | None) -> Mapping[TopicPartition, int]:
        if self.away:
            raise LogUnavailable("away")
        held = {partition: self.records.get(partition, []) for partition in partitions}
        if since is None:
            return {partition: len(records) for partition, records in held.items()}
        return {
            partition: next((record.offset for record in records if record.log_time >= since), len(records))
            for partition, records in held.items()
        }


@dataclass
class Heard:
    accounts: list[str] = field(default_factory=list)
    flushes: int = 0
    missed_times: int = 0

    def record(self, record: Record) -> None:
        self.accounts.append((record.key or b"").decode())

    async def flush(self) -> None:
        self.flushes += 1

    def missed(self) -> None:
        self.missed_times += 1


@dataclass
class Read:
    log: TimedMemoryLog = field(default_factory=TimedMemoryLog)
    heard: Heard = field(default_factory=Heard)

    def __post_init__(self) -> None:
        self.clock: HandClock = self.log.clock
        self.reading = AccountReading(self.log, self.heard, self.clock, LoopTasks(), Progress(self.clock))

    def happens(self, account: str, partition: int = 0) -> None:
        self.log.put(NewRecord("account.events", partition, account.encode(), b"{}"))

    def let_pass(self, seconds: float) -> None:
        self.clock.now += int(seconds * 1000)


async def test_it_begins_eleven_minutes_ago_and_has_caught_up_with_what_was_there() -> None:
    read = Read()
    read.happens("long ago")
    read.let_pass(KEPT_MS / 1000 - 60)
    read.happens("ann", 0)
    read.happens("ben", 2)
    read.let_pass(61)
    await read.reading.start()
    assert not read.reading.caught_up.is_set()
    assert not await read.reading.hears()
    await read.reading.step()
    assert sorted(read.heard.accounts) == ["ann", "ben"]
    assert read.reading.caught_up.is_set()
    assert await read.reading.hears()
    assert read.heard.flushes == 1


async def test_where_nothing_happens_it_knows_that_it_hears() -> None:
    read = Read()
    await read.reading.start()
    await read.reading.step()
    for _ in range(5):
        read.let_pass(HEARD_SECONDS_MAX - 1)
        await read.reading.look()
        assert await read.reading.hears()


async def test_whoever_cannot_ask_how_far_the_log_has_come_or_does_not_get_there_is_not_ready() -> None:
    read = Read()
    await read.reading.start()
    await read.reading.step()
    read.log.away = True
    read.let_pass(HEARD_SECONDS_MAX)
    await read.reading.look()
    assert not await read.reading.hears()
    read.log.away = False
    read.happens("ann")
    await read.reading.look()
    assert not await read.reading.hears()
    await read.reading.step()
    assert await read.reading.hears()


async def test_after_a_silence_that_a_token_may_have_outlived_every_socket_is_to_prove_itself_again() -> None:
    read = Read()
    await read.reading.start()
    await read.reading.step()
    read.let_pass(DEAF_SECONDS_MAX - 1)
    await read.reading.look()
    assert read.heard.missed_times == 0
    read.let_pass(DEAF_SECONDS_MAX + 1)
    await read.reading.look()
    assert read.heard.missed_times == 1
    await read.reading.look()
    assert read.heard.missed_times == 1


async def test_long_reading_lets_others_go_on() -> None:
    read = Read()
    await read.reading.start()
    for number in range(1000):
        read.happens(f"g{number}")
    went_on = asyncio.create_task(asyncio.sleep(0))
    await read.reading.step()
    assert went_on.done()
    assert len(read.heard.accounts) == 1000
