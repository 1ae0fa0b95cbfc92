"""The audit of one partition: every record judged, and what counts handed to those who know what it must agree with."""

from functools import partial

from bus.header import Claim, CommandsSkipped, EventHeader, Founding, Heartbeat, OutcomeHeader
from bus.records import Record, TopicPartition
from capicua.server.audit.aggregate import Tell
from capicua.server.audit.aggregates import Aggregates, OnHash
from capicua.server.audit.body import BODY_BYTES_MAX, Body, Unreadable, read_body
from capicua.server.audit.judge import Judge
from capicua.server.audit.pairing import Pairing
from capicua.server.audit.report import Cause, Report, Void
from capicua.server.audit.silence import Silence
from capicua.server.audit.snapshots import Snapshots
from contracts.topics import BY_NAME


class PartitionAudit:
    """`source` is the event partition; `partitions` of its topic there are, None if that is not known.
    `commands` are the command partition's bounds, if they are known: what is not in it any more has expired."""

    def __init__(
        self,
        source: TopicPartition,
        report: Report,
        partitions: int | None,
        commands: tuple[int, int] | None,
        on_hash: OnHash | None,
    ) -> None:
        self.source = source
        self.report = report
        self.position = 0
        self.judge = Judge()
        self.silence = Silence()
        self.aggregates = Aggregates(source, report, partitions, self.silence, on_hash)
        decider = source.topic.removesuffix(".events")
        tell = partial(self._tell_of, TopicPartition(f"{decider}.commands", source.partition))
        self.pairing = Pairing(tell, 0 if commands is None else commands[0])
        self._commands = commands
        self.snapshots = Snapshots(source, report)
        self._log_id: bytes | None = None
        self._now = 0
        report.partitions += 1

    # ---- records

    def command(self, record: Record) -> None:
        self.report.commands += 1
        self.pairing.command(record)

    def event(self, record: Record) -> None:
        """The next record of the event partition."""
        self.report.records += 1
        header = self.judge.read(record)
        self._check_offset(record.offset, header)
        why = header if isinstance(header, Void) else self.judge.judge(record.offset, header)
        if why is not None:
            self.report.void[why] += 1
        elif not isinstance(header, Void):
            self._take(record, header)

    def _take(self, record: Record, header: EventHeader) -> None:
        self._now = max(self._now, record.log_time)
        match header:
            case OutcomeHeader():
                self._outcome(record, header)
                self.silence.heard(record.timestamp, record.passed)
            case Heartbeat(_, jump):
                self.report.heartbeats += 1
                self.silence.heard(record.timestamp, record.passed)
                if jump is not None:
                    self.silence.left_out(jump.begin, jump.end)
            case Claim():
                self.report.claims += 1
                self.silence.heard(record.timestamp, record.passed, claim=True)
            case CommandsSkipped(first, last):
                self.report.skipped += last - first + 1
                self.pairing.skip(first, last)
            case Founding(log_id):
                self._log_id = log_id

    def _check_offset(self, offset: int, header: EventHeader | Void) -> None:
        tell = partial(self._tell_of, self.source)
        if offset == self.position == 0:
            if not isinstance(header, Founding):
                tell(Cause.NO_FOUNDING, offset, "a founding record", "another one")
        elif self.position == 0:
            if not _expires(self.source.topic):
                tell(Cause.MISSING_START, offset, "records from offset 0", f"the first at {offset}")
            self.judge.next_command, self.aggregates.digest, self.aggregates.late = None, None, True
        elif offset > self.position:
            tell(Cause.RECORD_GAP, offset, self.position, offset)
        elif offset < self.position:
            tell(Cause.RECORD_REPEATED, offset, self.position, offset)
        self._check_markers(offset)
        self.position = offset + 1

    def _check_markers(self, position: int) -> None:
        """Before the record at `position` is judged."""
        for marker in self.snapshots.take_markers(position):
            self.aggregates.digest = self.snapshots.check_marker(
                marker, self.judge, self.silence, self._log_id, self.aggregates.digest
            )

    # ---- outcomes

    def _outcome(self, record: Record, header: OutcomeHeader) -> None:
        key = (record.key or b"").decode(errors="replace")
        tell = partial(self._tell, record.offset, key)
        self.report.valid += 1
        body = self._body(record, header, key, tell)
        self.pairing.outcome(header, key, body)
        aggregate = self.aggregates.outcome(key, header, body, tell)
        state = None if aggregate is None else aggregate.table
        self.snapshots.check_state(key, record.offset, header.to_version, state)
        if aggregate is not None:
            self.aggregates.retire(key, aggregate)

    def _body(self, record: Record, header: OutcomeHeader, key: str, tell: Tell) -> Body | None:
        value = record.value or b""
        if len(value) > BODY_BYTES_MAX:
            tell(Cause.TOO_LARGE, f"at most {BODY_BYTES_MAX} bytes", len(value))
        try:
            return read_body(value, header, key)
        except Unreadable as error:
            tell(Cause.HEADER_AND_BODY, error.expected, error.got)
            return None

    # ---- the end

    def end(self, demanded: int | None) -> None:
        """Nothing more comes. Commands before `demanded` must have outcomes, all of them when it is None."""
        next_command, commands = self.judge.next_command, self._commands
        if commands is not None and next_command is not None and next_command < commands[0]:
            self.pairing.tell(Cause.COMMAND_UNANSWERED, next_command, "one valid outcome", "none, and it has expired")
        self.report.waiting += self.pairing.end(demanded, None if commands is None else commands[1])
        self._check_markers(self.position)
        self.snapshots.end(self.position)
        self.aggregates.end(self._now)
        self.report.outages += self.silence.count

    # ---- telling

    def _tell(self, offset: int, aggregate: str, cause: Cause, expected: object, got: object) -> None:
        self.report.add(cause, self.source, offset, aggregate, expected, got)

    def _tell_of(self, where: TopicPartition, cause: Cause, offset: int, expected: object, got: object) -> None:
        self.report.add(cause, where, offset, "", expected, got)


def _expires(topic: str) -> bool:
    """Whether the beginning of the topic goes by itself; then a marker tells what it was."""
    known = BY_NAME.get(topic)
    return known is not None and known.retention_ms is not None
