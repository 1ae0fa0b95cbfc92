"""All aggregates of one partition: every valid outcome is held against what came before it of the same aggregate."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from aiokafka.partitioner import murmur2

from bus.header import OutcomeHeader
from bus.records import TopicPartition
from capicua.server.audit.aggregate import RETIRE, Aggregate, Tell, check_deadline, check_effect, check_timeout
from capicua.server.audit.body import Body
from capicua.server.audit.over import Over
from capicua.server.audit.report import Cause, Report
from capicua.server.audit.silence import Silence
from capicua.server.audit.tables import check_table
from domino_rules import table
from domino_rules.table import Expired, Finished

TABLES = "table.events"


class TableHash(NamedTuple):
    """The last state of a table: `status` is `finished`, `expired`, or what it is at the log's end."""

    table_id: str
    version: int
    status: str
    state_hash: str


OnHash = Callable[[TableHash], None]


@dataclass(slots=True)
class Aggregates:
    """`partitions` of the topic there are, None if that is not known. `late`: the log's beginning is missing, so that
    an aggregate is first met in its middle; then `digest` is None until a marker tells it."""

    source: TopicPartition
    report: Report
    partitions: int | None
    silence: Silence
    on_hash: OnHash | None = None
    live: dict[str, Aggregate] = field(default_factory=dict)
    over: Over = field(default_factory=Over)
    digest: int | None = 0
    late: bool = False

    def outcome(self, key: str, header: OutcomeHeader, body: Body | None, tell: Tell) -> Aggregate | None:
        """The next valid outcome; gives back its aggregate unless that is over, or is none."""
        version = self.over.version(key)
        if version is not None:
            self._after_end(key, version, header, tell)
            return None
        aggregate = self.live.get(key) or self._met(header)
        self._versions(key, aggregate.version, header, tell)
        if body is None or header.from_version != aggregate.version:
            aggregate.foldable, aggregate.table = False, None
        if body is not None:
            self._check_body(aggregate, header, body, tell)
        check_deadline(aggregate.deadline, header, tell)
        if header.retires:
            self._forget(key, aggregate, tell)
            return None
        aggregate.version, aggregate.deadline = header.to_version, header.deadline
        if header.to_version == 0:
            return None
        if key not in self.live:
            self._keep(key, aggregate, tell)
        return aggregate

    def retire(self, key: str, aggregate: Aggregate) -> None:
        """Lets go of a table that is over."""
        if isinstance(aggregate.table, Finished | Expired):
            self._tell_hash(key, aggregate)
            self.over.put(key, aggregate.version)
            del self.live[key]
            self.report.tables_over += 1

    def end(self, now: int) -> None:
        """Nothing more comes; the log's last time was `now`."""
        for key, aggregate in self.live.items():
            due = aggregate.deadline
            if due is not None and (late := now - self.silence.latest(due)) > 0:
                self.report.overdue += 1
                self.report.overdue_ms_max = max(self.report.overdue_ms_max, late)
            self._tell_hash(key, aggregate)

    # ---- one outcome

    def _met(self, header: OutcomeHeader) -> Aggregate:
        if self.late:
            return Aggregate(header.from_version, header.deadline, foldable=False)
        return Aggregate()

    def _keep(self, key: str, aggregate: Aggregate, tell: Tell) -> None:
        self.live[key] = aggregate
        self.report.aggregates += 1
        if self.partitions is not None:
            expected = (murmur2(key.encode()) & 0x7FFFFFFF) % self.partitions
            if expected != self.source.partition:
                tell(Cause.WRONG_PARTITION, f"partition {expected}", self.source.partition)

    def _versions(self, key: str, version: int, header: OutcomeHeader, tell: Tell) -> None:
        if header.from_version != version:
            tell(Cause.VERSION_GAP, version, header.from_version)
        if self.digest is None:
            return
        if header.to_version != version:
            self.digest ^= _term(key, version) ^ _term(key, header.to_version)
        if header.digest != self.digest:
            tell(Cause.DIGEST_MISMATCH, f"{self.digest:016x}", f"{header.digest:016x}")
            self.digest = header.digest  # told once, and not by every outcome from here on

    def _check_body(self, aggregate: Aggregate, header: OutcomeHeader, body: Body, tell: Tell) -> None:
        report = self.report
        report.refusals += body.refusal is not None and body.duplicate_of is None
        report.faults += body.fault is not None and body.duplicate_of is None
        report.duplicates += body.duplicate_of is not None
        report.timeouts += check_timeout(aggregate, header, body, self.silence, tell)
        check_effect(aggregate, header, body, tell)
        if self.source.topic == TABLES and not header.retires:
            check_table(aggregate, header, body, report, tell)

    def _forget(self, key: str, aggregate: Aggregate, tell: Tell) -> None:
        """It left memory, and was not over as far as is known here. Only what is no table may come back."""
        self.live.pop(key, None)
        if self.source.topic == TABLES:
            self.over.put(key, 0)
            if aggregate.foldable:
                tell(Cause.RETIRED_EARLY, "a table that is over", "one that is not")
        self.report.retired += 1

    def _after_end(self, key: str, version: int, header: OutcomeHeader, tell: Tell) -> None:
        """Refusals are all that may follow, and once the retiring, the only deadline that there still is; then version
        0 stays. Tables of logs from before there was any retiring have no deadline."""
        self._versions(key, version, header, tell)
        if header.retires:
            self.over.put(key, 0)
            self.report.retired += 1
        elif header.to_version != header.from_version:
            tell(Cause.CHANGED_AFTER_END, "no more events", header.to_version - header.from_version)
            self.over.put(key, header.to_version)
        due = header.deadline
        if due is not None and (due.kind != RETIRE or header.to_version == 0):
            tell(Cause.DEADLINE_CHANGED, "no deadline but the retiring's", due)

    def _tell_hash(self, key: str, aggregate: Aggregate) -> None:
        state = aggregate.table
        if self.on_hash is not None and state is not None:
            status = type(state).__name__.lower()
            self.on_hash(TableHash(key, aggregate.version, status, table.state_hash(state)))


def _term(aggregate: str, version: int) -> int:
    """The share of one pair in the 64-bit digest of a partition; what does not exist has none."""
    if version == 0:
        return 0
    return int.from_bytes(hashlib.blake2b(b"%b\n%d" % (aggregate.encode(), version), digest_size=8).digest(), "big")
