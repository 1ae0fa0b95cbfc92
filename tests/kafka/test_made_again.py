"""A decider's topics that are deleted and made again, under it or while it is away: it must not go on as if new.

Snapshots come as seldom as in production: the marker that tells is the one that a log gets with its first claim.
"""

import asyncio
from functools import partial

import pytest
from tests.bus.tally import TallyDecider
from tests.kafka.deciding import running, started
from tests.kafka.ledger import PARTITIONS, SESSION_MS, Ledger, make_topics, recreate, send_many, sender_to

from bus.continuity import WrongLog
from bus.kafka import KafkaLog
from bus.parts import Parts
from bus.records import LogTruncated, TopicPartition
from bus.runtime import DeciderRuntime
from bus.snapshots import SNAPSHOT_SECONDS
from bus.topics import COMPACTED

REFUSAL_SECONDS_MAX = 30

deciding = partial(running, snapshot_seconds=SNAPSHOT_SECONDS)


@pytest.fixture
async def name(kafka_bootstrap: str, request: pytest.FixtureRequest) -> str:
    name = "again-" + str(abs(hash(request.node.name)) % 10**8)
    await make_topics(kafka_bootstrap, name, beside=COMPACTED)
    return name


async def some_life(bootstrap: str, name: str, snapshots: bool) -> None:
    """Commands are decided in every partition; with `snapshots`, each has a marker when this returns."""
    async with deciding(KafkaLog(bootstrap, SESSION_MS), name), sender_to(bootstrap, name) as sender:
        await send_many(sender, "c", 40)
        await Ledger(bootstrap, name).settle()
        if snapshots:
            await markers(bootstrap, name)


async def markers(bootstrap: str, name: str) -> None:
    log = KafkaLog(bootstrap, SESSION_MS)
    try:
        async with asyncio.timeout(30):
            for number in range(PARTITIONS):
                while (await log.bounds(TopicPartition(f"{name}.markers", number)))[1] == 0:  # noqa: ASYNC110 - nobody tells us
                    await asyncio.sleep(0.05)
    finally:
        await log.close()


async def test_events_made_again_while_nobody_decides_stop_the_service_which_says_so(
    kafka_bootstrap: str, name: str
) -> None:
    await some_life(kafka_bootstrap, name, snapshots=True)
    await recreate(kafka_bootstrap, f"{name}.events")
    async with started(KafkaLog(kafka_bootstrap, SESSION_MS), name, SNAPSHOT_SECONDS) as runtime:
        with pytest.raises(WrongLog, match="was the topic deleted or truncated"):
            async with asyncio.timeout(REFUSAL_SECONDS_MAX):
                await runtime.run()


async def test_events_made_again_and_filled_by_another_stop_the_service_which_says_so(
    kafka_bootstrap: str, name: str
) -> None:
    """The new topic is even longer than the old one was; its founding record tells."""
    await some_life(kafka_bootstrap, name, snapshots=True)
    await recreate(kafka_bootstrap, f"{name}.events")
    log = KafkaLog(kafka_bootstrap, SESSION_MS)
    stranger = DeciderRuntime(TallyDecider(name), Parts(log), SESSION_MS)
    await stranger.start()
    work = asyncio.create_task(stranger.run())
    async with sender_to(kafka_bootstrap, name) as sender:
        await send_many(sender, "d", 200)
        await Ledger(kafka_bootstrap, name).settle()
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    await stranger.stop()
    await log.close()
    async with started(KafkaLog(kafka_bootstrap, SESSION_MS), name, SNAPSHOT_SECONDS) as runtime:
        with pytest.raises(WrongLog, match="was the topic deleted and made again"):
            async with asyncio.timeout(REFUSAL_SECONDS_MAX):
                await runtime.run()


async def test_events_made_again_under_a_decider_stop_it(kafka_bootstrap: str, name: str) -> None:
    async with (
        deciding(KafkaLog(kafka_bootstrap, SESSION_MS), name) as work,
        sender_to(kafka_bootstrap, name) as sender,
    ):
        await send_many(sender, "c", 40)
        await Ledger(kafka_bootstrap, name).settle()
        await markers(kafka_bootstrap, name)
        await recreate(kafka_bootstrap, f"{name}.events")
        with pytest.raises((WrongLog, LogTruncated)):
            async with asyncio.timeout(REFUSAL_SECONDS_MAX):
                await asyncio.shield(work)


async def test_commands_made_again_stop_the_service_which_says_so(kafka_bootstrap: str, name: str) -> None:
    await some_life(kafka_bootstrap, name, snapshots=False)
    await recreate(kafka_bootstrap, f"{name}.commands")
    async with started(KafkaLog(kafka_bootstrap, SESSION_MS), name, SNAPSHOT_SECONDS) as runtime:
        with pytest.raises(WrongLog, match="was the topic deleted or truncated"):
            async with asyncio.timeout(REFUSAL_SECONDS_MAX):
                await runtime.run()


async def test_snapshots_and_markers_made_again_change_nothing(kafka_bootstrap: str, name: str) -> None:
    await some_life(kafka_bootstrap, name, snapshots=True)
    for kind in ("snapshots", "markers"):
        await recreate(kafka_bootstrap, f"{name}.{kind}")
    async with (
        deciding(KafkaLog(kafka_bootstrap, SESSION_MS), name),
        sender_to(kafka_bootstrap, name) as sender,
    ):
        await send_many(sender, "d", 40)
        ledger = Ledger(kafka_bootstrap, name)
        await ledger.settle()
    ledger.check()
    assert ledger.codes() == {"accepted": 80}
    assert ledger.total() == 80


class LateLog(KafkaLog):
    """Its brokers have just taken over: at first they tell of an end of the commands that is long past."""

    def __init__(self, bootstrap: str, late: int) -> None:
        super().__init__(bootstrap, SESSION_MS)
        self.late = late

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        begin, end = await super().bounds(partition)
        if partition.topic.endswith(".commands") and self.late:
            self.late -= 1
            return begin, min(end, 1)
        return begin, end


async def test_a_broker_that_does_not_know_the_end_yet_is_asked_again(kafka_bootstrap: str, name: str) -> None:
    """So it is as well when the owner before has gone on deciding until the new one's claim."""
    await some_life(kafka_bootstrap, name, snapshots=False)
    log = LateLog(kafka_bootstrap, late=2 * PARTITIONS)
    runtime = DeciderRuntime(TallyDecider(name), Parts(log), SESSION_MS, SNAPSHOT_SECONDS)
    await runtime.start()
    work = asyncio.create_task(runtime.run())
    async with sender_to(kafka_bootstrap, name) as sender:
        await send_many(sender, "d", 40)
        await Ledger(kafka_bootstrap, name).settle()
    assert log.late == 0
    assert not work.done()
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    await runtime.stop()
    await log.close()
