"""The audit of any records of deciders' topics, wherever they come from."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

from bus.records import Record, TopicPartition
from capicua.server.audit.aggregates import OnHash
from capicua.server.audit.partition import PartitionAudit
from capicua.server.audit.report import Report

EVENTS, COMMANDS = ".events", ".commands"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the topics from elsewhere; nothing of it is needed, and each makes the audit say more.

    `partitions`: of each event topic. `commands`: the bounds of command partitions. `answered`: up to where commands
    must have outcomes, because somebody has seen them (a group's committed offsets run ahead and are no proof).
    `settled`: nobody decides or writes any more, so every command must have one.
    """

    partitions: Mapping[str, int] = field(default_factory=dict)
    commands: Mapping[TopicPartition, tuple[int, int]] = field(default_factory=dict)
    answered: Mapping[TopicPartition, int] = field(default_factory=dict)
    settled: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """Nothing more comes of an event partition and its commands: what is remembered of it can go."""

    partition: TopicPartition


Item = Record | End


class Auditor:
    """Takes records one by one, in order for each partition. Markers and snapshots come before the events that they
    describe; commands and events may be mixed in any way, but memory holds what one is ahead of the other."""

    def __init__(self, known: Known | None = None, *, on_hash: OnHash | None = None) -> None:
        self.report = Report()
        self._known = known or Known()
        self._on_hash = on_hash
        self._open: dict[TopicPartition, PartitionAudit] = {}

    def take(self, item: Item) -> None:
        match item:
            case End(partition):
                self._end(partition, self._of(partition))
                del self._open[partition]
            case Record():
                decider, _, kind = item.topic.rpartition(".")
                audit = self._of(TopicPartition(decider + EVENTS, item.partition))
                match kind:
                    case "events":
                        audit.event(item)
                    case "commands":
                        audit.command(item)
                    case "markers":
                        audit.snapshots.marker(item)
                    case "snapshots":
                        audit.snapshots.record(item)

    def finish(self) -> Report:
        """Nothing more comes."""
        for partition in sorted(self._open):
            self.take(End(partition))
        return self.report

    def _of(self, partition: TopicPartition) -> PartitionAudit:
        audit = self._open.get(partition)
        if audit is None:
            count = self._known.partitions.get(partition.topic)
            bounds = self._known.commands.get(_commands_of(partition))
            audit = PartitionAudit(partition, self.report, count, bounds, self._on_hash)
            self._open[partition] = audit
        return audit

    def _end(self, partition: TopicPartition, audit: PartitionAudit) -> None:
        audit.end(None if self._known.settled else self._known.answered.get(_commands_of(partition), 0))


def _commands_of(events: TopicPartition) -> TopicPartition:
    return TopicPartition(events.topic.removesuffix(EVENTS) + COMMANDS, events.partition)


async def audit(records: AsyncIterator[Item], known: Known | None = None, *, on_hash: OnHash | None = None) -> Report:
    """Reads `records` to their end and reports. `on_hash` gets every table's last state hash, as soon as it is over."""
    auditor = Auditor(known, on_hash=on_hash)
    async for record in records:
        auditor.take(record)
    return auditor.finish()
