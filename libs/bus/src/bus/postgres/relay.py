"""From the outbox into the log: in order, at least once, at once."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Any

from bus import telemetry
from bus.health import Progress
from bus.parts import Parts
from bus.postgres.database import Connection, Database, DatabaseAway, every
from bus.sender import Letter, LetterSender
from bus.telemetry import TRACEPARENT, parse_traceparent

log = logging.getLogger(__name__)

BATCH_MAX = 500
LOOK_SECONDS = 1.0
AGAIN_SECONDS = 0.5
STANDSTILL_SECONDS_MAX = 90.0
"""Longer than a lock is left to a replica that does nothing with it."""
_LOCK = "SELECT pg_advisory_xact_lock(hashtext(current_schema() || '.outbox'))"
_OLDEST = """
SELECT id, topic, key, value, traceparent,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint - put_at AS waited_ms
FROM outbox ORDER BY id LIMIT %s
"""


class Relay:
    """Sends what stands in the outbox and deletes it when it is durable.

    One replica at a time: it holds a lock from before it looks until what it has sent is deleted, so that nobody else
    overtakes it. It is woken by every commit of this process, and looks once a second for what another one has left
    behind. A letter whose result is unknown is sent again before any later one. A process that is stopped with letters
    under way, for longer than its lock is left to it, may bring an old letter after a newer one when it wakes, and a
    producer that was left behind when it answers again: messages have versions, and the newest counts.
    """

    def __init__(self, database: Database, sender: LetterSender, parts: Parts, *others: Database) -> None:
        """`others`: connections of the same ledger by which letters are put too."""
        self._database = database
        self._sender = sender
        self._tasks = parts.tasks
        self._woken = asyncio.Event()
        self._sending: asyncio.Future[bool] | None = None
        self.progress = Progress(parts.clock, seconds_max=STANDSTILL_SECONDS_MAX)
        for by in (database, *others):
            by.on_letters(self._woken.set)

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            self.progress.tick()
            self._woken.clear()
            try:
                while await self._send_whole():
                    self.progress.tick()
            except DatabaseAway as error:
                log.warning("the outbox cannot be read: %s", error)
                await self._tasks.sleep(AGAIN_SECONDS)
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._woken.wait()

    async def stop(self) -> None:
        """Sends what was put since the loop has ended. Without the database it is sent by whoever comes next."""
        with contextlib.suppress(DatabaseAway):
            if self._sending is not None:
                await self._sending
            while await self._send_some():
                self.progress.tick()

    async def _send_whole(self) -> bool:
        """As `_send_some`, which a loop that is cancelled leaves to `stop`: cut off, it would all be sent again."""
        self._sending = asyncio.ensure_future(self._send_some())
        return await asyncio.shield(self._sending)

    async def _send_some(self) -> bool:
        """Whether there may be more."""
        async with self._database.transaction() as connection:
            await connection.execute("SET LOCAL synchronous_commit = off")  # what is sent twice does no harm
            await connection.execute("SET LOCAL statement_timeout = 0")  # the lock may be another replica's for long
            await connection.execute("SET LOCAL lock_timeout = 0")
            await connection.execute(_LOCK)
            rows = await every(connection, _OLDEST, BATCH_MAX)
            sent = await self._send(rows)
            await self._delete(connection, rows[:sent])
        if sent < len(rows):
            await self._tasks.sleep(AGAIN_SECONDS)
        return sent < len(rows) or len(rows) == BATCH_MAX

    async def _send(self, rows: Sequence[dict[str, Any]]) -> int:
        """How many of the first rows are durable. What comes after one that is not would overtake it."""
        if not rows:
            return 0
        telemetry.outbox_wait_ms.record(max(row["waited_ms"] for row in rows))
        durable = await self._sender.send_all([_letter_of(row) for row in rows])
        sent = durable.index(False) if False in durable else len(durable)
        telemetry.outbox_sent.add(sent)
        if sent < len(rows):
            log.warning("%d letters are sent again after an unknown result", len(rows) - sent)
        return sent

    async def _delete(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            await connection.execute("DELETE FROM outbox WHERE id = ANY(%s)", [[row["id"] for row in rows]])


def _letter_of(row: dict[str, Any]) -> Letter:
    headers = [(TRACEPARENT, row["traceparent"].encode())] if row["traceparent"] else []
    return Letter(row["topic"], row["key"], row["value"], parse_traceparent(headers))
