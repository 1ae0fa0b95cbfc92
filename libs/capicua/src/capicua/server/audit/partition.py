"""The audit of one partition: every record judged, every valid outcome held against all that came before it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from aiokafka.partitioner import murmur2

from bus.header import Claim, CommandsSkipped, Founding, Heartbeat, OutcomeHeader
from bus.records import Record, TopicPartition
from capicua.server.audit.aggregate import Aggregate, Tell, check_deadline, check_effect, check_timeout
from capicua.server.audit.body import BODY_BYTES_MAX, Body, Unreadable, read_body
from capicua.server.audit.judge import Judge
from capicua.server.audit.over import Over
from capicua.server.audit.pairing import LogTime, Pairing
from capicua.server.audit.report import Cause, Report, Void
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
class PartitionAudit:
    """`source` is the event partition; `partitions` of its topic there are, None if that is not known."""

    source: TopicPartition
    report: Report
    partitions: int | None
    log_time: LogTime
    on_hash: OnHash | None = None
    judge: Judge = field(default_factory=Judge)
    silence: Silence = field(default_factory=Silence)
    aggregates: dict[str, Aggregate] = field(default_factory=dict)
    over: Over = field(default_factory=Over)
    digest: int | None = 0
    """None while it cannot be known: the log's beginning is missing."""
    position: int = 0
    now: int = 0
    pairing: Pairing = field(init=False)

    def __post_init__(self) -> None:
        commands = TopicPartition(f"{self.source.topic.removesuffix('.events')}.commands", self.source.partition)

        def tell(cause: Cause, offset: int, expected: object, got: object) -> None:
            self.report.add(cause, commands, offset, "", expected, got)

        self.pairing = Pairing(tell)
        self.report.partitions += 1

    # ---- records

    def command(self, record: Record) -> None:
        self.report.commands += 1
        self.pairing.command(record, self.log_time)

    def event(self, record: Record) -> None:
        """The next record of the event partition."""
        self.report.records += 1
        header = self.judge.read(record)
        self._check_offset(record.offset, header)
        why = header if isinstance(header, Void) else self.judge.judge(record.offset, header)
        if isinstance(header, Void) or why is not None:
            assert why is not None
            self.report.void[why] += 1
            return
        self.now = max(self.now, self.log_time(record.timestamp))
        match header:
            case OutcomeHeader():
                self._outcome(record, header)
                self.silence.heard(self.log_time(record.timestamp))
            case Heartbeat():
                self.report.heartbeats += 1
                self.silence.heard(self.log_time(record.timestamp))
            case Claim():
                self.report.claims += 1
                self.silence.heard(self.log_time(record.timestamp), claim=True)
            case CommandsSkipped(first, last):
                self.report.skipped += last - first + 1
                self.pairing.skip(first, last)
            case Founding():
                pass

    def _check_offset(self, offset: int, header: object) -> None:
        if offset == self.position == 0:
            if not isinstance(header, Founding):
                self._add(Cause.NO_FOUNDING, offset, "a founding record", "another one")
        elif self.position == 0:
            self._add(Cause.MISSING_START, offset, "records from offset 0", f"the first at {offset}")
            self.judge.next_command, self.digest = None, None
        elif offset > self.position:
            self._add(Cause.RECORD_GAP, offset, self.position, offset)
        elif offset < self.position:
            self._add(Cause.RECORD_REPEATED, offset, self.position, offset)
        self.position = offset + 1

    # ---- outcomes

    def _outcome(self, record: Record, header: OutcomeHeader) -> None:
        key = (record.key or b"").decode(errors="replace")
        tell = partial(self._tell, record.offset, key)
        self.report.valid += 1
        body = self._body(record, header, key, tell)
        self.pairing.outcome(header, key, body)
        version = self.over.version(key)
        if version is not None:
            self._after_end(key, version, header, tell)
            return
        aggregate = self.aggregates.get(key)
        if aggregate is None:
            aggregate = Aggregate(version=header.from_version if self.digest is None else 0, deadline=None)
            if self.digest is None:
                aggregate.deadline, aggregate.foldable = header.deadline, False
        self._versions(key, aggregate.version, header, tell)
        if body is None or header.from_version != aggregate.version:
            aggregate.foldable, aggregate.table = False, None
        if body is not None:
            self._body_checks(aggregate, header, body, tell)
        if header.to_version > 0:
            self._keep(key, aggregate, tell)
        check_deadline(aggregate.deadline, header, tell)
        aggregate.version, aggregate.deadline = header.to_version, header.deadline
        self._retire(key, aggregate)

    def _keep(self, key: str, aggregate: Aggregate, tell: Tell) -> None:
        if key in self.aggregates:
            return
        self.aggregates[key] = aggregate
        self.report.aggregates += 1
        if self.partitions is not None:
            expected = (murmur2(key.encode()) & 0x7FFFFFFF) % self.partitions
            if expected != self.source.partition:
                tell(Cause.WRONG_PARTITION, f"partition {expected}", self.source.partition)

    def _body(self, record: Record, header: OutcomeHeader, key: str, tell: Tell) -> Body | None:
        value = record.value or b""
        if len(value) > BODY_BYTES_MAX:
            tell(Cause.TOO_LARGE, f"at most {BODY_BYTES_MAX} bytes", len(value))
        try:
            return read_body(value, header, key)
        except Unreadable as error:
            tell(Cause.HEADER_AND_BODY, error.expected, error.got)
            return None

    def _versions(self, key: str, version: int, header: OutcomeHeader, tell: Tell) -> None:
        if header.from_version != version:
            tell(Cause.VERSION_GAP, version, header.from_version)
        if self.digest is None:
            return
        self.digest ^= _term(key, version) ^ _term(key, header.to_version)
        if header.digest != self.digest:
            tell(Cause.DIGEST_MISMATCH, f"{self.digest:016x}", f"{header.digest:016x}")
            self.digest = header.digest  # told once, and not by every outcome from here on

    def _body_checks(self, aggregate: Aggregate, header: OutcomeHeader, body: Body, tell: Tell) -> None:
        self.report.refusals += body.refusal is not None and body.duplicate_of is None
        self.report.faults += body.fault is not None and body.duplicate_of is None
        self.report.duplicates += body.duplicate_of is not None
        self.report.timeouts += check_timeout(aggregate, header, body, self.silence, tell)
        check_effect(aggregate, header, body, tell)
        if self.source.topic == TABLES:
            check_table(aggregate, header, body, self.report, tell)

    def _after_end(self, key: str, version: int, header: OutcomeHeader, tell: Tell) -> None:
        """Refusals are all that may follow; what is over keeps its version and has no deadline."""
        self._versions(key, version, header, tell)
        if header.to_version != header.from_version:
            tell(Cause.CHANGED_AFTER_END, "no more events", header.to_version - header.from_version)
            self.over.put(key, header.to_version)
        check_deadline(None, header, tell)

    def _retire(self, key: str, aggregate: Aggregate) -> None:
        state = aggregate.table
        if isinstance(state, Finished | Expired):
            self._tell_hash(key, aggregate)
            self.over.put(key, aggregate.version)
            del self.aggregates[key]
            self.report.tables_over += 1

    # ---- the end

    def end(self, demanded: int, commands: tuple[int, int] | None) -> None:
        """Nothing more comes. Commands before `demanded` must have outcomes; `commands` are the command topic's
        bounds, if they are known."""
        next_command = self.judge.next_command
        if commands is not None and next_command is not None and next_command < commands[0]:
            self.pairing.tell(Cause.COMMAND_UNANSWERED, next_command, "one valid outcome", "none, and it has expired")
        self.report.waiting += self.pairing.end(demanded, None if commands is None else commands[1])
        self.report.outages += self.silence.count
        for key, aggregate in self.aggregates.items():
            due = aggregate.deadline
            self.report.overdue += due is not None and self.silence.latest(due) < self.now
            self._tell_hash(key, aggregate)

    def _tell_hash(self, key: str, aggregate: Aggregate) -> None:
        state = aggregate.table
        if self.on_hash is not None and state is not None:
            status = type(state).__name__.lower()
            self.on_hash(TableHash(key, aggregate.version, status, table.state_hash(state)))

    # ---- telling

    def _tell(self, offset: int, aggregate: str, cause: Cause, expected: object, got: object) -> None:
        self.report.add(cause, self.source, offset, aggregate, expected, got)

    def _add(self, cause: Cause, offset: int, expected: object, got: object) -> None:
        self._tell(offset, "", cause, expected, got)


def _term(aggregate: str, version: int) -> int:
    """The share of one pair in the 64-bit digest of a partition; what does not exist has none."""
    if version == 0:
        return 0
    return int.from_bytes(hashlib.blake2b(b"%b\n%d" % (aggregate.encode(), version), digest_size=8).digest(), "big")
