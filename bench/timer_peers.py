"""The timer's work done by others: a poller of a Redis sorted set, and APScheduler.

Both read the same log by the same fold rule and send the same command; only how they wait is their own.
"""

import asyncio
import importlib
import logging
from datetime import UTC, datetime
from typing import Any

from redis.asyncio import Redis

from bus.decider import Deadline
from bus.outcomes import Outcome
from bus.parts import Parts
from bus.records import LogWriter, NewRecord, TopicPartition
from bus.sender import LetterSender, command_letter
from contracts.envelope import CommandEnvelope, TimeOut

POLL_SECONDS = 0.01
BATCH = 1000
DUE, WAITING = "due", "waiting"


class Sending:
    """Timeouts to tables, as many under way as there is room for."""

    def __init__(self, parts: Parts) -> None:
        self._sender = LetterSender(parts.log, "bench", ["table.commands"])
        self._writer: LogWriter = parts.log.writer("bench")

    async def start(self) -> None:
        await self._sender.start()
        await self._writer.start()

    async def send(self, aggregate: str, kind: str, ref: str) -> None:
        command = TimeOut(kind=kind, ref=ref).model_dump()
        command_id = f"timeout:{aggregate}:{ref}:1"
        letter = command_letter(
            "table", CommandEnvelope(id=command_id, principal="timer", aggregate=aggregate, command=command)
        )
        await self._writer.append(NewRecord(*self._sender.target(letter), letter.key.encode(), letter.value))

    async def stop(self) -> None:
        await self._writer.stop()
        await self._sender.stop()


class RedisPoller:
    """Times in a sorted set, what to send in a hash. A batch of outcomes is one round trip; a batch of what is due is
    two."""

    def __init__(self, parts: Parts, url: str) -> None:
        self._parts = parts
        self._redis: Any = Redis.from_url(url, decode_responses=True)
        self._pipe = self._redis.pipeline(transaction=False)
        self._sending = Sending(parts)

    async def start(self) -> None:
        await self._sending.start()

    async def gained(self, partition: TopicPartition) -> None: ...

    def outcome(self, outcome: Outcome) -> None:
        deadline = outcome.deadline
        if deadline is None:
            self._pipe.zrem(DUE, outcome.aggregate)
            self._pipe.hdel(WAITING, outcome.aggregate)
        else:
            self._pipe.zadd(DUE, {outcome.aggregate: deadline.due_at})
            self._pipe.hset(WAITING, outcome.aggregate, f"{deadline.kind} {deadline.ref}")

    async def flush(self, _partition: TopicPartition, _position: int) -> None:
        await self._pipe.execute()

    async def caught_up(self, partition: TopicPartition) -> None: ...

    async def lost(self, partition: TopicPartition) -> None: ...

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            due = await self._redis.zrangebyscore(DUE, "-inf", f"({self._parts.time.now()}", start=0, num=BATCH)
            if due:
                waiting, _, _ = await (
                    self._redis.pipeline().hmget(WAITING, due).zrem(DUE, *due).hdel(WAITING, *due).execute()
                )
                for aggregate, what in zip(due, waiting, strict=True):
                    if what is not None:
                        await self._sending.send(aggregate, *what.split())
            if len(due) < BATCH:
                await asyncio.sleep(POLL_SECONDS)

    async def stop(self) -> None:
        await self._sending.stop()
        await self._redis.aclose()


class Scheduler:
    """A job for each deadline in the memory store of APScheduler, of Python's schedulers the one that most programs use
    and that is kept best."""

    def __init__(self, parts: Parts) -> None:
        self._sending = Sending(parts)
        logging.getLogger("apscheduler").setLevel(logging.WARNING)  # a line for each job costs more than the job
        asyncio_schedulers = importlib.import_module("apscheduler.schedulers.asyncio")
        self._scheduler: Any = asyncio_schedulers.AsyncIOScheduler(timezone=UTC)

    async def start(self) -> None:
        await self._sending.start()
        self._scheduler.start(paused=True)  # else it looks at its jobs at each new one while the log is read

    async def gained(self, partition: TopicPartition) -> None: ...

    def outcome(self, outcome: Outcome) -> None:
        deadline, name = outcome.deadline, outcome.aggregate
        if deadline is not None:
            self._arm(name, deadline)
        elif self._scheduler.get_job(name) is not None:
            self._scheduler.remove_job(name)

    def _arm(self, name: str, deadline: Deadline) -> None:
        self._scheduler.add_job(
            self._sending.send,
            "date",
            args=(name, deadline.kind, deadline.ref),
            id=name,
            run_date=datetime.fromtimestamp(deadline.due_at / 1000, UTC),
            misfire_grace_time=None,
            replace_existing=True,
        )

    async def flush(self, partition: TopicPartition, position: int) -> None: ...

    async def caught_up(self, partition: TopicPartition) -> None: ...

    async def lost(self, partition: TopicPartition) -> None: ...

    async def run(self) -> None:
        """Until cancelled."""
        self._scheduler.resume()
        await asyncio.Event().wait()

    async def stop(self) -> None:
        self._scheduler.shutdown(wait=False)
        await self._sending.stop()
