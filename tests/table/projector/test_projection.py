"""The projection over a log in memory, with a real cache and with one that cannot be reached."""

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from pydantic import TypeAdapter
from redis.asyncio import Redis
from tests.memory_log import MemoryLog, let_everybody_run
from tests.table.projector.timed_out_match import ONE, TWO, decisions
from tests.writing_owner import WritingOwner

from bus.group_tail import GroupTail
from bus.health import Progress
from bus.records import TopicPartition
from bus.sender import LetterSender
from bus.tail import Tail
from bus.tasks import end
from contracts.envelope import DeadLetter, Fault, Refusal
from contracts.lifecycle import LifecycleMessage, TableWasNotOpened
from contracts.live_cache import finished_key
from contracts.queue_api import FinishedTable
from domino_rules.table import from_json
from table.projector.live_cache import GENERATION_KEY, LiveCache
from table.projector.projection import Projection

SOURCE = TopicPartition("table.events", 0)
GROUP = "table-projector"


@asynccontextmanager
async def projecting(log: MemoryLog, redis_url: str) -> AsyncIterator[Projection]:
    parts = log.parts()
    sender, cache = LetterSender(log, "p", ["table.lifecycle", "table.dead"]), LiveCache(redis_url)
    reading = Progress(parts.clock)
    projection = Projection(
        parts, sender, cache, lambda: group.membership, lambda at: (tail.fold(at).validity.log_id or b"").hex(), reading
    )
    tail = Tail(parts, projection, reading)
    group = GroupTail(parts, tail, GROUP, ["table.events"])

    await sender.start()
    await group.start()
    loops = [asyncio.create_task(group.run()), asyncio.create_task(projection.run())]
    try:
        yield projection
    finally:
        await end(loops)
        await projection.stop()
        await cache.close()


def closed_url() -> str:
    """An address where nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{found.getsockname()[1]}/0"


def story(table_id: str) -> tuple[MemoryLog, WritingOwner]:
    log = MemoryLog(assigned={SOURCE})
    owner = WritingOwner(log, SOURCE)
    owner.write(table_id, *decisions(table_id)[0])
    return log, owner


async def beat_until_committed(log: MemoryLog, owner: WritingOwner, offset: int) -> None:
    """The owner's heartbeats make the projector try again to commit."""
    async with asyncio.timeout(10):
        while log.commits.get(GROUP, {}).get(SOURCE, 0) < offset:
            log.clock.now += 6000
            owner.heartbeat()
            await log.moved.wait()


async def test_cache_and_lifecycle_follow_the_log_and_then_the_offset_is_committed(redis_url: str) -> None:
    table_id = f"{ONE[:10]}{secrets.token_hex(8)}"
    log, owner = story(table_id)
    end = owner.write("other", fault=Fault(code="undecodable", message="why")) + 1
    async with projecting(log, redis_url) as projection, Redis.from_url(redis_url) as redis:
        await log.until("table.lifecycle", 1)
        [dead] = await log.until("table.dead", 1)
        await beat_until_committed(log, owner, end)
        entry = json.loads(await redis.get(f"table:{table_id}") or "null")
        assert projection.cache_reached
    assert DeadLetter.model_validate_json(dead.value or b"").code == "undecodable"
    assert entry["log_id"] == (b"l" * 16).hex()
    assert (entry["partition"], entry["offset"], entry["version"]) == (0, 2, len(decisions(table_id)[0]))
    assert from_json(entry["state"]).table.table_id == table_id


async def test_a_finished_table_is_among_the_last_ones_of_its_people_and_again_when_the_cache_was_lost(
    redis_url: str,
) -> None:
    table_id = f"{ONE[:10]}{secrets.token_hex(8)}"
    log, owner = story(table_id)
    for events in decisions(table_id)[1:]:
        owner.write(table_id, *events)
    end = len(log.records[SOURCE])
    async with projecting(log, redis_url), Redis.from_url(redis_url) as redis:
        await beat_until_committed(log, owner, end)
        assert table_id in await finished_by("ann", redis)
        for key in (finished_key("ann"), GENERATION_KEY):
            await redis.delete(key)
        async with asyncio.timeout(10):
            while table_id not in await finished_by("ann", redis):
                log.clock.now += 6000
                owner.heartbeat()
                await let_everybody_run()


async def test_who_asked_for_a_table_is_told_why_it_was_not_opened(redis_url: str) -> None:
    log = MemoryLog(assigned={SOURCE})
    owner = WritingOwner(log, SOURCE)
    stale, bug = Refusal(code="stale-id", message="why"), Fault(code="bug", message="why")
    refused = owner.write("t1", refusal=stale, asked_by="eu")
    owner.write("t2", refusal=stale)
    owner.write("t4", refusal=stale, asked_by="no region!")
    owner.write(ONE, *decisions(ONE)[0])
    owner.write(ONE, refusal=Refusal(code="table-exists", message="why"), asked_by="eu")
    faulty = owner.write("t3", fault=bug, asked_by="room-abc234")
    async with projecting(log, redis_url):
        records = await log.until("table.lifecycle", 3)
    facts = [TypeAdapter(LifecycleMessage).validate_json(record.value or b"") for record in records]
    never = [fact for fact in facts if isinstance(fact, TableWasNotOpened)]
    assert {(fact.table_id, fact.region, fact.reason, fact.source.offset) for fact in never} == {
        ("t1", "eu", "stale-id", refused),
        ("t3", "room-abc234", "bug", faulty),
    }


async def finished_by(account: str, redis: Redis) -> list[str]:
    texts: list[Any] = await redis.zrevrange(finished_key(account), 0, -1)
    return [FinishedTable.model_validate_json(text).table_id for text in texts]


async def test_while_the_cache_is_away_the_rest_goes_on_and_nothing_is_committed() -> None:
    log, owner = story(ONE)
    async with projecting(log, closed_url()) as projection:
        await log.until("table.lifecycle", 1)
        for events in decisions(ONE)[1:]:
            owner.write(ONE, *events)
        await log.until("table.lifecycle", 2)
        log.clock.now += 10_000
        owner.heartbeat()
        assert not projection.cache_reached
    assert log.commits.get(GROUP, {}).get(SOURCE, 0) == 0


async def test_a_successor_without_a_cache_does_not_set_the_committed_offset_back() -> None:
    log, owner = story(ONE)
    committed = len(log.records[SOURCE])
    log.commits[GROUP] = {SOURCE: committed}
    owner.write(TWO, *decisions(TWO)[0])
    async with projecting(log, closed_url()):
        await log.until("table.lifecycle", 1)
        await let_everybody_run()
    assert log.commits[GROUP] == {SOURCE: committed}
    assert [record.key for record in log.all("table.lifecycle")] == [TWO.encode()]
