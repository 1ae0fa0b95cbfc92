"""Where a table's first view comes from, on real Kafka and Valkey."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.gateway.running import SESSION_MS, from_the_queue, guests

from bus.clock import SystemClock
from bus.kafka import KafkaLog, KafkaReader
from bus.outages import Outage, Outages
from bus.partitioning import partition_of
from bus.records import TopicPartition
from bus.tasks import LoopTasks
from domino_rules.table import deadline, to_json
from gateway.history import History
from gateway.live_cache import LiveCache
from gateway.past import Origin, Past
from gateway.reading import TABLE_EVENTS
from gateway.step import Step

LOG_ID = "ab" * 16


class CountingLog(KafkaLog):
    """Counts the readings of partitions that it was asked for."""

    readings = 0

    def reader(self, name: str) -> KafkaReader:
        self.readings += 1
        return super().reader(name)


@dataclass
class Here:
    """A past, its parts, and a table with some steps in its log."""

    log: CountingLog
    redis: Redis
    past: Past
    table_id: str
    steps: list[Step]

    async def cache(self, step: Step, **change: Any) -> None:
        """Writes a step as the projector does, `change` apart."""
        place = {"log_id": LOG_ID, "offset": 0, "partition": 0}
        entry = {**place, "version": step.version, "at": 77, "state": to_json(step.state), **change}
        await self.redis.set(f"table:{self.table_id}", json.dumps(entry))


def origin_of(table_id: str) -> Origin:
    return Origin(TopicPartition(TABLE_EVENTS, partition_of(table_id, 6)), LOG_ID)


@pytest.fixture
async def here(gateway_url: str, kafka_bootstrap: str, redis_url: str) -> AsyncIterator[Here]:
    async with guests(gateway_url, 2) as people:
        table_id = await from_the_queue(people)
        for guest in people:
            await guest.command(table_id, {"type": "sit-down"})
    log = CountingLog(kafka_bootstrap, SESSION_MS)
    redis = Redis.from_url(redis_url)
    history = History(log, SystemClock(), LoopTasks())
    cache = LiveCache(Redis.from_url(redis_url))
    past = Past(cache, history, origin_of)
    steps = await past.steps(table_id, 0)
    yield Here(log, redis, past, table_id, steps)
    await history.stop()
    await cache.stop()
    await redis.aclose()
    await log.close()


async def test_without_a_cache_the_log_is_folded(here: Here) -> None:
    assert [step.from_version for step in here.steps] == [0, *(step.version for step in here.steps[:-1])]
    assert await here.past.steps(here.table_id, here.steps[-1].version) == here.steps


async def test_a_good_cache_is_taken_and_nothing_is_folded(here: Here) -> None:
    await here.cache(here.steps[-1])
    before = here.log.readings
    (step,) = await here.past.steps(here.table_id, here.steps[-1].version)
    assert (step.from_version, step.version, step.at, step.events) == (0, here.steps[-1].version, 77, ())
    assert step.state == here.steps[-1].state
    assert here.log.readings == before


async def test_a_table_out_of_the_cache_or_the_log_is_put_off_by_outages_that_this_gateway_has_read(
    here: Here, redis_url: str
) -> None:
    due = deadline(here.steps[-1].state)
    assert due is not None
    outages = Outages(None, (Outage(due.set_at, due.set_at + 4000),))
    cache = LiveCache(Redis.from_url(redis_url))
    past = Past(
        cache,
        History(here.log, SystemClock(), LoopTasks()),
        lambda table_id: replace(origin_of(table_id), outages=outages),
    )
    from_the_log = (await past.steps(here.table_id, 1))[-1]
    await here.cache(here.steps[-1])
    (from_the_cache,) = await past.steps(here.table_id, 1)
    for step in (from_the_log, from_the_cache):
        told = step.view(1, due.set_at).view["deadline"]
        assert (told["due_at"], told["given_back_ms"]) == (due.due_at + 9000, 9000)
    await cache.stop()


async def test_a_cache_that_is_behind_is_not_taken(here: Here) -> None:
    await here.cache(here.steps[0])
    assert await here.past.steps(here.table_id, here.steps[-1].version) == here.steps


async def test_a_cache_of_another_log_is_not_taken(here: Here) -> None:
    await here.cache(here.steps[-1], log_id="cd" * 16)
    assert await here.past.steps(here.table_id, 1) == here.steps


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"log_id":"","offset":0,"partition":0,"version":1,"at":1,"state":{}}',
        "\udcff",
        "[" * 50_000,
    ],
)
async def test_an_unreadable_cache_is_not_taken(here: Here, entry: str) -> None:
    await here.redis.set(f"table:{here.table_id}", entry.encode(errors="surrogateescape"))
    assert await here.past.steps(here.table_id, 1) == here.steps


async def test_without_a_cache_server_the_log_is_folded(here: Here) -> None:
    nobody = LiveCache(Redis.from_url("redis://127.0.0.1:1/0"))
    past = Past(nobody, History(here.log, SystemClock(), LoopTasks()), origin_of)
    assert await past.steps(here.table_id, 1) == here.steps
    await nobody.stop()


async def test_a_table_that_never_was_has_no_steps(here: Here) -> None:
    assert await here.past.steps("tnosuch", 0) == []


async def test_who_comes_while_a_partition_is_read_shares_the_next_reading(here: Here) -> None:
    before = here.log.readings
    found = await asyncio.gather(*(here.past.outcomes(here.table_id) for _ in range(20)))
    assert {len(outcomes) for outcomes in found} == {len(here.steps)}
    assert here.log.readings - before <= 2
