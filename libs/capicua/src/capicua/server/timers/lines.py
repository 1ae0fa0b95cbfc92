"""The report on deadlines for people."""

from collections.abc import Iterator, Sequence

from capicua.server.output import printable
from capicua.server.timers.lately import LATELY, spread
from capicua.server.timers.report import Report, Row
from capicua.server.timers.standing import Standing

SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS = 1000, 60_000, 3_600_000, 86_400_000
ARMED = ("decider", "kind", "armed", "next due", "put off", "overdue", "oldest overdue")
LATE = ("decider", "kind", "timeouts", "asked late: p50", "p99", "max", "in effect: p50", "p99", "max", "by others")
NOTHING = "-"


def lines(report: Report) -> Iterator[str]:
    """What stands, what is overdue, who is silent, and how late deadlines took effect lately."""
    survey = report.survey
    clock = "the brokers' clock" if survey.fresh else "this machine's clock: no owner was heard just now"
    yield f"{survey.records} records in {len(survey.partitions)} partitions; times by {clock}."
    if survey.from_snapshots:
        yield f"{survey.from_snapshots} partitions are read on from the timer's snapshots; --whole reads all of them."
    for source in survey.from_markers:
        yield f"{source.topic}:{source.partition} is read from its newest marker: what changed before is not known."
    yield from aligned([ARMED, *(_armed(row, survey.now) for row in report.rows)])
    if late := [_late(row) for row in report.rows if row.lately.asked or row.lately.by_others]:
        yield f"Of the last {LATELY} of each decider that ended after they were due, in ms:"
        yield from aligned([LATE, *late])
    for standing in report.worst:
        yield f"OVERDUE {_overdue(standing, survey.now)}"
    for each in report.silent:
        where = f"{each.source.topic}:{each.source.partition}"
        yield f"SILENT {where}: no owner for {span(each.silent_ms)}; deadlines that wait for one: {each.waiting}"
    yield "Nothing is overdue." if report.healthy else "NOT well: something is overdue, or waits for an owner."


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def span(ms: int) -> str:
    """A length of time, as `3.2 s`, `1:04:05` or `31 d 2:00:00`; no calendar, which ends long before what a header can
    hold."""
    if ms < MINUTE_MS:
        return f"{ms // 100 / 10} s"
    days, rest = divmod(ms, DAY_MS)
    clock = f"{rest // HOUR_MS}:{rest % HOUR_MS // MINUTE_MS:02}:{rest % MINUTE_MS // SECOND_MS:02}"
    return f"{days:,} d {clock}" if days else clock


def _armed(row: Row, now: int) -> tuple[str, ...]:
    next_due = NOTHING if row.next_due is None else f"in {span(max(0, row.next_due - now))}"
    oldest = NOTHING if row.oldest is None else _overdue(row.oldest, now)
    return row.decider, printable(row.kind), str(row.armed), next_due, str(row.put_off), str(row.overdue), oldest


def _late(row: Row) -> tuple[str, ...]:
    lately = row.lately
    asked, effective = (
        tuple(map(str, found)) if (found := spread(values)) else (NOTHING,) * 3
        for values in (lately.asked, lately.effective)
    )
    return row.decider, printable(row.kind), str(len(lately.asked)), *asked, *effective, str(lately.by_others)


def _overdue(standing: Standing, now: int) -> str:
    source, deadline = standing.source, standing.deadline
    late = span(standing.overdue_ms(now))
    named = f"{source.topic}:{source.partition} {standing.aggregate} {deadline.kind} {deadline.ref}"
    return f"{printable(named)}: {late} late"
