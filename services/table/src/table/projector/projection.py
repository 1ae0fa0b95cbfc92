"""What the projector does with the table's log: folds it, and lets cache, lifecycle and dead letters follow."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from redis.exceptions import RedisError

from bus import telemetry
from bus.dead_letters import dead_letter
from bus.delivery import Commit, Delivery
from bus.health import Progress
from bus.outcomes import MalformedBody, Outcome
from bus.parts import Parts
from bus.records import Membership, TopicPartition
from bus.sender import LetterSender
from table.projector.finished import FinishedTables
from table.projector.lifecycle import letter, not_opened
from table.projector.live_cache import Entry, LiveCache
from table.projector.tables import PartitionTables

log = logging.getLogger(__name__)

BATCH_MAX = 100
LOOK_SECONDS = 1.0
RETRY_SECONDS = 0.1
RETRY_SECONDS_MAX = 2.0


@dataclass(slots=True)
class _Partition:
    """`folded` is how far the log has been folded, `cached` how far the cache has followed, also in earlier hands."""

    tables: PartitionTables
    delivery: Delivery
    finished: FinishedTables = field(default_factory=FinishedTables)
    ready: bool = False
    folded: int = 0
    cached: int = 0


class Projection:
    """What the projector's tail tells it (`bus.tail.OutcomeHandler`), and the loop that writes the cache.

    A partition is committed up to where both its letters and the cache are durable. While the cache cannot be reached
    the fold goes on; afterwards it gets the newest state of each table, whatever came in between.
    """

    def __init__(
        self,
        parts: Parts,
        sender: LetterSender,
        cache: LiveCache,
        membership: Callable[[], Membership],
        log_id: Callable[[TopicPartition], str],
        reading: Progress,
    ) -> None:
        self._parts = parts
        self._sender = sender
        self._cache = cache
        self._membership = membership
        self._log_id = log_id
        self._reading = reading
        self._partitions: dict[TopicPartition, _Partition] = {}
        self._moved = asyncio.Event()
        self._generation = ""
        self._reached = False
        self._looked_at = 0.0
        self.progress = Progress(parts.clock, 30.0)

    # ---- folding

    async def gained(self, partition: TopicPartition) -> None:
        committed = await self._membership().committed(partition) or 0
        delivery = Delivery(partition, committed, self._sender, self._commit_of(partition), self._parts)
        self._partitions[partition] = _Partition(PartitionTables(committed), delivery, cached=committed)

    def outcome(self, outcome: Outcome) -> None:
        partition = self._partitions[outcome.source]
        try:
            dead = dead_letter("table", outcome)
            unopened = not_opened(outcome)
            body = outcome.body() if outcome.changes else None
        except MalformedBody as error:
            log.error("%s", error)
            telemetry.alarms.add(1, {"kind": "malformed-body"})
            return
        if dead is not None:
            partition.delivery.put(outcome.offset, [dead])
        if unopened is not None:
            partition.delivery.put(outcome.offset, [letter(unopened)])
        if body is not None:
            facts = partition.tables.take(outcome, body)
            partition.finished.take(facts)
            partition.delivery.put(outcome.offset, map(letter, facts))

    async def flush(self, partition: TopicPartition, position: int) -> None:
        known = self._partitions[partition]
        known.folded = position
        known.delivery.reached(position)
        self._moved.set()
        await known.delivery.room(self._reading)

    async def caught_up(self, partition: TopicPartition) -> None:
        """From now on the cache follows; before, it would only get states that are long past."""
        self._partitions[partition].ready = True
        self._moved.set()

    async def lost(self, partition: TopicPartition) -> None:
        await self._partitions.pop(partition).delivery.stop()

    def _commit_of(self, source: TopicPartition) -> Commit:
        async def commit(offsets: Mapping[TopicPartition, int]) -> bool:
            """Commits no further than the cache has come, and says so: it is tried again later."""
            partition = self._partitions.get(source)
            if partition is None:
                return False
            held = min(offsets[source], partition.cached)
            return await self._membership().commit({source: held}) and held == offsets[source]

        return commit

    # ---- the cache

    @property
    def cache_reached(self) -> bool:
        """Whether the last attempt to reach the cache went well."""
        return self._reached

    async def run(self) -> None:
        """Keeps the cache as new as the fold, until cancelled."""
        pause = RETRY_SECONDS
        while True:
            self.progress.tick()
            self._moved.clear()
            try:
                await self._refresh()
                self._reached, pause = True, RETRY_SECONDS
            except (RedisError, OSError) as error:
                self._reached, pause = False, min(2 * pause, RETRY_SECONDS_MAX)
                log.warning("the live cache cannot be written: %s", type(error).__name__)
                await self._parts.tasks.sleep(pause)
                continue
            with suppress(TimeoutError):  # now and then the cache is asked whether it has lost everything
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._moved.wait()

    async def _refresh(self) -> None:
        now = self._parts.clock.monotonic()
        if not self._reached or now - self._looked_at >= LOOK_SECONDS:
            await self._look()
            self._looked_at = now
        for source, partition in list(self._partitions.items()):
            if partition.ready:
                await self._follow(source, partition)

    async def _look(self) -> None:
        """A cache of another generation has lost everything: it gets every live table again."""
        generation = await self._cache.generation()
        if generation != self._generation:
            for partition in self._partitions.values():
                partition.tables.all_dirty()
                partition.finished.all_behind()
            self._generation = generation

    async def _follow(self, source: TopicPartition, partition: _Partition) -> None:
        """Writes what the cache lacks now; what comes meanwhile is for the next turn."""
        folded, behind = partition.folded, partition.tables.dirty()
        number, finished = partition.finished.behind()
        for start in range(0, len(finished), BATCH_MAX):
            await self._cache.write_finished(finished[start : start + BATCH_MAX])
        partition.finished.cached(number)
        for start in range(0, len(behind), BATCH_MAX):
            if source not in self._partitions:
                return
            batch, log_id = behind[start : start + BATCH_MAX], self._log_id(source)
            entries = [Entry(table_id, log_id, source.partition, projected) for table_id, projected in batch]
            telemetry.cache_writes.add(await self._cache.write(entries))
            for table_id, projected in batch:
                partition.tables.cached(table_id, projected)
        partition.cached = folded

    async def stop(self) -> None:
        for partition in list(self._partitions):
            await self.lost(partition)
