"""Follows the tables' event log during the demonstration: what stands due, and how many commands wait."""

import time

from bus.decider import Deadline
from bus.kafka import KafkaLog
from bus.outcomes import PartitionFold
from bus.records import TopicPartition
from contracts.topics import PARTITIONS_LOCAL

COMMANDS, EVENTS = "table.commands", "table.events"
POLL_MS = 50


class LogWatch:
    """Judges every record by the fold rule; only valid outcomes count."""

    def __init__(self, log: KafkaLog) -> None:
        self._log = log
        self._folds = {
            partition: PartitionFold(partition)
            for partition in (TopicPartition(EVENTS, n) for n in range(PARTITIONS_LOCAL))
        }
        self._standing: dict[str, Deadline | None] = {}

    async def run(self) -> None:
        """Until cancelled."""
        reader = self._log.reader("demo")
        await reader.start(self._folds)
        for partition in self._folds:
            reader.seek(partition, 0)
        try:
            while True:
                for partition, records in (await reader.poll(POLL_MS)).items():
                    for outcome in self._folds[partition].all(records):
                        self._standing[outcome.aggregate] = outcome.deadline
        finally:
            await reader.stop()

    async def commands_waiting(self) -> int:
        """How many commands lie beyond the last valid outcomes that have been read here."""
        waiting = 0
        for events, fold in self._folds.items():
            _, end = await self._log.bounds(TopicPartition(COMMANDS, events.partition))
            waiting += end - fold.validity.next_command
        return waiting

    async def has_read_all(self) -> bool:
        """Whether everything that the event log holds has been read here."""
        ends = {partition: (await self._log.bounds(partition))[1] for partition in self._folds}
        return all(fold.position >= ends[partition] for partition, fold in self._folds.items())

    def due_since(self, since_ms: int) -> set[tuple[str, str]]:
        """Table and reference of the deadlines that fell due after `since_ms` and still stand."""
        now = time.time_ns() // 1_000_000  # the broker runs on this machine
        return {
            (table, due.ref)
            for table, due in self._standing.items()
            if due is not None and since_ms < due.due_at <= now
        }
