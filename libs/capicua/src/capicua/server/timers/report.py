"""What a survey of deadlines found, by decider and kind."""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bus.records import TopicPartition
from capicua.server.timers.lately import LatelyEnded, Lateness, spread
from capicua.server.timers.reading import Survey
from capicua.server.timers.standing import Standing
from timer.alarms import decider_of


@dataclass(slots=True)
class Row:
    """Deadlines of one decider and kind. `put_off` of the armed ones wait for an owner of their partition, `overdue`
    are so by more than a second. `next_due` is the first time of all others, in ms of log time; `oldest` is of those
    overdue the one that was due first."""

    decider: str
    kind: str
    armed: int = 0
    put_off: int = 0
    overdue: int = 0
    next_due: int | None = None
    oldest: Standing | None = None
    lately: Lateness = field(default_factory=Lateness)

    def add(self, standing: Standing, now: int) -> None:
        self.armed += 1
        if standing.put_off:
            self.put_off += 1
        elif standing.overdue_ms(now):
            self.overdue += 1
            if self.oldest is None or standing.due_at < self.oldest.due_at:
                self.oldest = standing
        elif self.next_due is None or standing.due_at < self.next_due:
            self.next_due = standing.due_at


@dataclass(frozen=True, slots=True)
class Silent:
    """A partition without an owner for `silent_ms`, in which `waiting` deadlines stand."""

    source: TopicPartition
    silent_ms: int
    waiting: int


@dataclass(slots=True)
class Report:
    """`worst` are those that have been overdue longest, as many as were asked for."""

    survey: Survey
    rows: list[Row]
    worst: list[Standing]
    silent: list[Silent]

    @property
    def healthy(self) -> bool:
        """Nothing is overdue, and nothing waits for an owner."""
        return not self.silent and not any(row.overdue for row in self.rows)

    def to_json(self) -> Mapping[str, Any]:
        """The report as a JSON object; times in ms of log time."""
        survey = self.survey
        return {
            "healthy": self.healthy,
            "now": survey.now,
            "clock": "broker" if survey.fresh else "machine",
            "records": survey.records,
            "partitions": len(survey.partitions),
            "from_snapshots": survey.from_snapshots,
            "from_markers": [f"{source.topic}:{source.partition}" for source in survey.from_markers],
            "kinds": [self._row(row) for row in self.rows],
            "overdue": [self._overdue(each) for each in self.worst],
            "silent": [
                {
                    "topic": each.source.topic,
                    "partition": each.source.partition,
                    "silent_ms": each.silent_ms,
                    "waiting": each.waiting,
                }
                for each in self.silent
            ],
        }

    def _row(self, row: Row) -> Mapping[str, Any]:
        asked, effective = spread(row.lately.asked), spread(row.lately.effective)
        return {
            "decider": row.decider,
            "kind": row.kind,
            "armed": row.armed,
            "put_off": row.put_off,
            "next_due": row.next_due,
            "overdue": row.overdue,
            "oldest": self._overdue(row.oldest) if row.oldest else None,
            "lately": {
                "timeouts": len(row.lately.asked),
                "asked_late_ms": asked._asdict() if asked else None,
                "effective_late_ms": effective._asdict() if effective else None,
                "by_others": row.lately.by_others,
            },
        }

    def _overdue(self, standing: Standing) -> Mapping[str, Any]:
        return {
            "topic": standing.source.topic,
            "partition": standing.source.partition,
            "aggregate": standing.aggregate,
            "kind": standing.deadline.kind,
            "ref": standing.deadline.ref,
            "due_at": standing.due_at,
            "late_ms": standing.overdue_ms(self.survey.now),
        }


def make_report(survey: Survey, told: int) -> Report:
    """`told` is how many of the overdue ones are listed at most."""
    now = survey.now
    rows: dict[tuple[str, str], Row] = {}
    ended: dict[str, LatelyEnded] = {}
    for partition in survey.partitions:
        decider = decider_of(partition.source)
        ended[decider] = partition.ended
        for standing in partition.standing(now):
            kind = standing.deadline.kind
            rows.setdefault((decider, kind), Row(decider, kind)).add(standing, now)
    for decider, newest in ended.items():
        for kind, lateness in newest.by_kind().items():
            rows.setdefault((decider, kind), Row(decider, kind)).lately = lateness
    overdue = (each for partition in survey.partitions for each in partition.standing(now) if each.overdue_ms(now))
    worst = heapq.nsmallest(told, overdue, key=lambda each: each.due_at)
    silent = [
        Silent(partition.source, silent_ms, len(partition.deadlines))
        for partition in survey.partitions
        if (silent_ms := partition.silent_ms(now))
    ]
    return Report(survey, [rows[key] for key in sorted(rows)], worst, silent)
