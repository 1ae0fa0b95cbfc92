"""Event logs in memory with outcomes in them, as deciders write them."""

from dataclasses import dataclass, field
from typing import Any

from tests.memory_log import MemoryLog, MemoryReader

from bus.decider import Deadline
from bus.header import HEADER, Claim, EventHeader, Founding, Heartbeat, OutcomeHeader, pack
from bus.outcomes import Outcome, PartitionFold
from bus.partitioning import partition_of
from bus.records import LogUnavailable, NewRecord, TopicPartition
from contracts.envelope import OutcomeBody
from gateway.step import Change

LOG_ID = bytes(16)


@dataclass
class FickleLog(MemoryLog):
    """Counts its readers; does not answer while `away`."""

    away: bool = False
    readers: int = 0

    async def bounds(self, partition: TopicPartition) -> tuple[int, int]:
        if self.away:
            raise LogUnavailable("away")
        return await super().bounds(partition)

    def reader(self, name: str) -> MemoryReader:
        self.readers += 1
        return super().reader(name)


OWNER = b"o" * 16


@dataclass
class Written:
    """Outcomes go into `log`; what a reader of the log would hand on comes back."""

    log: FickleLog = field(default_factory=FickleLog)
    folds: dict[TopicPartition, PartitionFold] = field(default_factory=dict)

    def outcome(
        self,
        topic: str,
        aggregate: str,
        versions: tuple[int, int],
        value: bytes | None = None,
        deadline: Deadline | None = None,
        **body: Any,
    ) -> Outcome:
        """A valid outcome between two versions; `value` replaces the body that `body` describes."""
        partition = TopicPartition(topic, partition_of(aggregate, self.log.partitions))
        fold = self._fold(partition)
        fields = {"command_id": "c", "principal": "p", "at": self.log.clock.now, "decided_at": self.log.clock.now}
        written = OutcomeBody(
            aggregate=aggregate, version=versions[1], rules_version="1", **{**fields, **body}
        ).model_dump_json()
        header = OutcomeHeader(1, OWNER, fold.validity.next_command, *versions, 0, deadline, None)
        outcome = self._append(fold, header, aggregate.encode(), written.encode() if value is None else value)
        assert outcome is not None
        return outcome

    def change(self, table_id: str, change: Change, **body: Any) -> Outcome:
        """The outcome of a change of a table."""
        versions = (change.from_version, change.to_version)
        return self.outcome("table.events", table_id, versions, events=change.events, at=change.at, **body)

    def heartbeat(self, table_id: str) -> TopicPartition:
        """The owner of the table's partition is heard."""
        partition = TopicPartition("table.events", partition_of(table_id, self.log.partitions))
        self._append(self._fold(partition), Heartbeat(OWNER), None, b"")
        return partition

    def _fold(self, partition: TopicPartition) -> PartitionFold:
        if partition not in self.folds:
            fold = self.folds[partition] = PartitionFold(partition)
            self._append(fold, Founding(LOG_ID), None, b"")
            self._append(fold, Claim(OWNER, 0), None, b"")
        return self.folds[partition]

    def _append(self, fold: PartitionFold, header: EventHeader, key: bytes | None, value: bytes) -> Outcome | None:
        record = NewRecord(*fold.source, key, value, ((HEADER, pack(header)),))
        return fold.take(self.log.put(record))
