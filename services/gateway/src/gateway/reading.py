"""The gateway's own reading of the logs: all partitions, without a group, from their start."""

import asyncio

from bus.partitioning import partition_of
from bus.records import Log, TopicPartition
from bus.tail import Tail
from gateway.past import Origin

TABLE_EVENTS = "table.events"
LOBBY_EVENTS = "lobby.events"


class Reading:
    """Catches up first; `caught_up` is set once and for all when all is read that the logs held at the start."""

    def __init__(self, log: Log, tail: Tail) -> None:
        self._log = log
        self._tail = tail
        self._counts: dict[str, int] = {}
        self.caught_up = asyncio.Event()

    async def start(self) -> None:
        """Fixes where reading begins."""
        for topic in (TABLE_EVENTS, LOBBY_EVENTS):
            self._counts[topic] = await self._log.partition_count(topic)
        partitions = [TopicPartition(topic, number) for topic, count in self._counts.items() for number in range(count)]
        await self._tail.start(partitions, "gateway")
        for partition in partitions:
            await self._tail.gain(partition)

    async def run(self) -> None:
        while True:
            await self._tail.step()
            if not self._tail.catching_up:
                self.caught_up.set()

    def origin(self, table_id: str) -> Origin:
        """Where a table's events stand; call after `start`."""
        partition = TopicPartition(TABLE_EVENTS, partition_of(table_id, self._counts[TABLE_EVENTS]))
        known = self._tail.fold(partition).validity
        return Origin(partition, known.log_id.hex() if known.log_id is not None else None, known.outages)

    async def stop(self) -> None:
        await self._tail.stop()
