"""Follows a plain topic in a consumer group: what follows from its records, at least once and in order."""

import logging
from collections.abc import Callable, Sequence

from bus.dead_letters import unreadable
from bus.delivery import Delivery
from bus.health import Progress
from bus.parts import Parts
from bus.records import LogReader, LogUnavailable, Record, TopicPartition
from bus.sender import Letter, LetterSender
from bus.tail import POLL_MS

log = logging.getLogger(__name__)

Reaction = Callable[[Record], Sequence[Letter]]
"""What follows from one record. May raise ValueError for a record that it cannot read."""


class TopicFollower:
    """Reads `topic` from the committed offsets of `group` on, or from the oldest record where none is committed.

    A record that cannot be read is a dead letter of `consumer`.
    """

    def __init__(
        self, parts: Parts, group: str, topic: str, reaction: Reaction, sender: LetterSender, *, consumer: str
    ) -> None:
        self._parts = parts
        self._consumer = consumer
        self._group = group
        self._topic = topic
        self._reaction = reaction
        self._sender = sender
        self._membership = parts.log.membership(group, [topic])
        self._reader: LogReader | None = None
        self._deliveries: dict[TopicPartition, Delivery] = {}
        self.progress = Progress(parts.clock)

    async def start(self) -> None:
        count = await self._parts.log.partition_count(self._topic)
        self._reader = self._parts.log.reader(self._group)
        await self._reader.start(TopicPartition(self._topic, number) for number in range(count))
        await self._membership.start()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._step()

    @property
    def ready(self) -> bool:
        """Whether the group has answered."""
        return self._membership.generation > 0

    async def stop(self) -> None:
        for partition in list(self._deliveries):
            await self._lose(partition)
        await self._membership.stop()
        if self._reader is not None:
            await self._reader.stop()

    async def _step(self) -> None:
        assert self._reader is not None
        try:
            await self._follow_assignment(self._reader)
        except LogUnavailable as error:
            log.warning("%s goes on without a partition for now: %s", self._group, error)
        batches = await self._reader.poll(POLL_MS)
        self.progress.tick()
        for partition, records in batches.items():
            if partition in self._deliveries:
                await self._take(self._deliveries[partition], records)

    async def _follow_assignment(self, reader: LogReader) -> None:
        wanted = self._membership.assignment
        for partition in sorted(self._deliveries.keys() - wanted):
            await self._lose(partition)
        for partition in sorted(wanted - self._deliveries.keys()):
            await self._gain(partition, reader)

    async def _gain(self, partition: TopicPartition, reader: LogReader) -> None:
        first, _ = await self._parts.log.bounds(partition)
        committed = max(first, await self._membership.committed(partition) or 0)
        self._deliveries[partition] = Delivery(partition, committed, self._sender, self._membership.commit, self._parts)
        reader.seek(partition, committed)

    async def _lose(self, partition: TopicPartition) -> None:
        assert self._reader is not None
        self._reader.pause(partition)
        await self._deliveries.pop(partition).stop()

    async def _take(self, delivery: Delivery, records: Sequence[Record]) -> None:
        for record in records:
            delivery.put(record.offset, self._letters(record))
        delivery.reached(records[-1].offset + 1)
        await delivery.room(self.progress)

    def _letters(self, record: Record) -> Sequence[Letter]:
        try:
            return self._reaction(record)
        except ValueError:
            return [unreadable(self._consumer, record)]
