"""Writes a partition of an event topic as its owner would, one outcome at a time."""

from typing import Any

from tests.memory_log import MemoryLog

from bus.decider import Deadline
from bus.header import HEADER, Claim, EventHeader, Founding, Heartbeat, OutcomeHeader, pack
from bus.records import NewRecord, TopicPartition
from contracts.envelope import Fault, OutcomeBody, Refusal, Retired

OWNER = b"o" * 16


class WritingOwner:
    """Founds and claims `partition`, then writes valid outcomes, at the log's clock."""

    def __init__(self, log: MemoryLog, partition: TopicPartition) -> None:
        self._log = log
        self._partition = partition
        self._commands = 0
        self.versions: dict[str, int] = {}
        self._put(Founding(b"l" * 16))
        self._claim_offset = self._put(Claim(OWNER, 0))

    def heartbeat(self) -> None:
        self._put(Heartbeat(OWNER))

    def write(
        self,
        aggregate: str,
        *events: dict[str, Any],
        deadline: Deadline | None = None,
        refusal: Refusal | None = None,
        fault: Fault | None = None,
        principal: str = "ann",
        command_id: str = "c-1",
        asked_by: str | None = None,
        void: bool = False,
        retires: bool = False,
    ) -> int:
        """Appends an outcome and returns its offset; a `void` one was written under a claim that is not the newest."""
        before = self.versions.get(aggregate, 0)
        after = 0 if retires else before + len(events)
        body = OutcomeBody(
            command_id=command_id,
            principal=principal,
            aggregate=aggregate,
            version=after,
            at=self._log.clock.now,
            decided_at=self._log.clock.now,
            rules_version="1",
            events=events,
            refusal=refusal,
            fault=fault,
            asked_by=asked_by,
        )
        claim_offset = self._claim_offset - void
        header = OutcomeHeader(claim_offset, OWNER, self._commands, before, after, 0, deadline, None)
        if not void:
            self._commands += 1
            self.versions[aggregate] = after
        return self._put(header, aggregate.encode(), body.model_dump_json(exclude_none=True).encode())

    def retire(self, aggregate: str) -> int:
        """Appends the outcome by which it leaves memory, and returns its offset."""
        return self.write(aggregate, Retired().model_dump(), principal="timer", retires=True)

    def _put(self, header: EventHeader, key: bytes | None = None, value: bytes = b"") -> int:
        return self._log.put(NewRecord(*self._partition, key, value, ((HEADER, pack(header)),))).offset
