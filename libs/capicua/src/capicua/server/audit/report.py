"""What an audit found: violations of the protocol, and what lies in the log and counts for nobody."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any, Self

from bus.records import TopicPartition
from capicua.server.output import printable

VIOLATIONS_TOLD = 1000
"""All are counted; this many are told one by one."""


class _Finding(Enum):
    """A name for programs, and what it means in a few words."""

    meaning: str

    def __new__(cls, name: str, meaning: str) -> Self:
        finding = object.__new__(cls)
        finding._value_, finding.meaning = name, meaning
        return finding


class Cause(_Finding):
    """What must not be in a log; any of it is a violation."""

    MISSING_START = "missing-start", "the first record is not at offset 0"
    NO_FOUNDING = "no-founding", "the record at offset 0 founds no log"
    RECORD_GAP = "record-gap", "offsets of the event topic jump"
    RECORD_REPEATED = "record-repeated", "two records at one offset, or an order that no log has"
    COMMAND_GAP = "command-gap", "offsets of the command topic jump"
    COMMAND_UNANSWERED = "command-unanswered", "no valid outcome, though there must be one by now"
    COMMAND_UNKNOWN = "command-unknown", "a valid outcome of a command that the command topic does not hold"
    COMMAND_MISMATCH = "command-mismatch", "the outcome is another command's"
    WRONG_TIME = "wrong-time", "the outcome's `at` is not the command's own time"
    SECOND_EFFECT = "second-effect", "one command id changed one aggregate twice"
    DECIDED_TWICE = "decided-twice", "one command id was decided, and soon after decided again"
    DUPLICATE_CHANGES = "duplicate-changes", "a repeated command was answered, and changed something again"
    WRONG_PARTITION = "wrong-partition", "an aggregate changed on a partition that its name does not belong to"
    VERSION_GAP = "version-gap", "versions of an aggregate are not 1..n"
    DIGEST_MISMATCH = "digest-mismatch", "the digest is not that of all (aggregate, version)"
    HEADER_AND_BODY = "header-and-body", "the body cannot be read, or does not agree with its header"
    TOO_LARGE = "too-large", "over 512 KiB"
    DEADLINE_MISSING = "deadline-missing", "nothing changed, and the standing deadline is not told"
    DEADLINE_CHANGED = "deadline-changed", "nothing changed, and another deadline than the standing one is told"
    DEADLINE_WRONG = "deadline-wrong", "not the deadline of the folded table"
    TIMEOUT_TWICE = "timeout-twice", "one deadline was timed out twice"
    TIMEOUT_EARLY = "timeout-early", "accepted at or before its deadline"
    TIMEOUT_IN_OUTAGE = "timeout-in-outage", "accepted after its deadline, in time that an outage gives back"
    TIMEOUT_NOT_CURRENT = "timeout-not-current", "accepted, and another deadline stood, or none"
    TIMEOUT_FORGOTTEN = "timeout-forgotten", "a later command was decided as if the deadline had not passed"
    FOLD_FAILED = "fold-failed", "the events cannot follow on the folded table"
    STATE_HASH_MISMATCH = "state-hash-mismatch", "the recorded hash is not that of the folded table"
    STATE_HASH_MISSING = "state-hash-missing", "a round or match ended without one"
    TILES = "tiles", "not every one of the 28 tiles exactly once"
    MARKER_MISMATCH = "marker-mismatch", "it says something else of the log just before it"
    MARKER_AHEAD = "marker-ahead", "the log ends before it"
    SNAPSHOT_MISMATCH = "snapshot-mismatch", "not what the log has of that aggregate at that place"
    RETIRED_EARLY = "retired-early", "a table left memory that was not over"
    CHANGED_AFTER_END = "changed-after-end", "a table that was over changed again"


class Void(_Finding):
    """Why a record counts for nobody. Zombies, strangers and lost sends leave such records; they are no violations."""

    ZOMBIE_CLAIM = "zombie-claim", "an outcome under a claim that was the newest once"
    UNKNOWN_CLAIM = "unknown-claim", "an outcome under an offset that holds no claim"
    WRONG_OWNER = "wrong-owner", "an outcome that names a claim and not its owner"
    AFTER_A_GAP = "after-a-gap", "commands between the last valid outcome and this one have none"
    REPEATED = "repeated", "another outcome of a command that has a valid one"
    ZOMBIE_HEARTBEAT = "zombie-heartbeat", "a heartbeat under a claim that was the newest once"
    LATE_FOUNDING = "late-founding", "a founding record behind the first offset"
    BAD_SKIP = "bad-skip", "commands passed over that are not the next ones"
    NO_HEADER = "no-header", "no packed header"
    DOUBLED_HEADER = "doubled-header", "more than one packed header"
    MALFORMED_HEADER = "malformed-header", "a packed header that is cut short or garbled"
    FOREIGN_KIND = "foreign-kind", "a kind of record, or a layout, that this version does not know"
    CREATE_TIME = "create-time", "not stamped by the broker"


@dataclass(frozen=True, slots=True)
class Violation:
    """One of them, by where it stands; holds nothing of hands, seeds or talk."""

    cause: Cause
    topic: str
    partition: int
    offset: int
    aggregate: str
    expected: str
    got: str

    def __str__(self) -> str:
        of = f" {self.aggregate}" if self.aggregate else ""
        where = f"{self.topic}:{self.partition}:{self.offset}{of}"
        return printable(f"{where}: {self.cause.value}: expected {self.expected}, got {self.got}")


@dataclass(slots=True)
class Report:
    """`records` of event topics and `commands` were read. `valid` outcomes count, `void` records do not and are counted
    by why. `waiting` commands had no outcome yet, `overdue` deadlines had passed when the log ended, the first of them
    `overdue_ms_max` before. `unknown_events`
    by type: tables that hold one were not folded any further."""

    records: int = 0
    commands: int = 0
    partitions: int = 0
    claims: int = 0
    heartbeats: int = 0
    valid: int = 0
    skipped: int = 0
    refusals: int = 0
    faults: int = 0
    duplicates: int = 0
    timeouts: int = 0
    outages: int = 0
    aggregates: int = 0
    tables_over: int = 0
    retired: int = 0
    waiting: int = 0
    overdue: int = 0
    overdue_ms_max: int = 0
    markers: int = 0
    snapshots: int = 0
    snapshots_unreadable: int = 0
    hashes_checked: int = 0
    deals_checked: int = 0
    void: Counter[Void] = field(default_factory=Counter)
    counts: Counter[Cause] = field(default_factory=Counter)
    unknown_events: Counter[str] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not self.counts

    def add(
        self, cause: Cause, where: TopicPartition, offset: int, aggregate: str, expected: object, got: object
    ) -> None:
        self.counts[cause] += 1
        if len(self.violations) < VIOLATIONS_TOLD:
            self.violations.append(Violation(cause, *where, offset, aggregate, str(expected), str(got)))

    def to_json(self) -> Mapping[str, Any]:
        """The report as a JSON object."""
        told = [{**asdict(violation), "cause": violation.cause.value} for violation in self.violations]
        numbers = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in _TELLING}
        return {
            "clean": self.clean,
            **numbers,
            "void": {why.value: count for why, count in sorted(self.void.items(), key=lambda item: item[0].value)},
            "unknown_events": dict(self.unknown_events),
            "counts": {cause.value: count for cause, count in self.counts.items()},
            "violations": told,
        }


_TELLING = {"void", "counts", "unknown_events", "violations"}
