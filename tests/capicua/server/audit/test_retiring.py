"""What leaves memory takes its share of the digest along, and a table that has left never comes back."""

import json
from typing import Any

import pytest
from tests.capicua.server.audit.scribe import ADDED, Scribe, share
from tests.capicua.server.audit.test_tables import ID, written

from bus.decider import Deadline
from capicua.server.audit import Known

RETIRED = {"type": "retired"}
RETIRING = Deadline("retire", "retire", 1, 2)
UNKNOWN: dict[str, Any] = {"refusal": {"code": "unknown-table", "message": ""}}


def retire(log: Scribe, aggregate: str = ID, **how: Any) -> None:
    left = log.digest ^ share(aggregate, log.versions[aggregate])
    header = {"to_version": 0, "digest": left, **how}
    log.outcome(aggregate, [RETIRED], header=header, deadline=None, version=0, principal="timer")


def over() -> Scribe:
    """A table whose last outcome was the match's end."""
    log = written()
    log.outcome(ID, deadline=RETIRING, refusal={"code": "table-over", "message": ""})
    return log


def test_a_table_that_is_over_may_be_retired_and_is_unknown_from_then_on() -> None:
    log = over()
    retire(log)
    log.outcome(ID, **UNKNOWN)
    report = log.report(Known(settled=True))
    assert report.clean, report.violations
    assert (report.tables_over, report.retired) == (1, 1)


def test_one_that_comes_back_is_told() -> None:
    log = over()
    retire(log)
    log.outcome(ID, [{"type": "table-opened"}])
    assert log.causes() == ["changed-after-end"]


def test_one_that_is_not_over_is_told_and_may_not_come_back_either() -> None:
    log = written()
    del log.events[len(log.events) // 2 :]
    half = Scribe("table.events").begin()
    half.events, half.commands = log.events, log.commands[: len(log.events) - 2]
    half.next_command = len(half.commands)
    assert half.report().clean
    half.versions[ID] = sum(_count(record.value) for record in half.events)
    half.digest = share(ID, half.versions[ID])
    retire(half)
    half.outcome(ID, [{"type": "table-opened"}])
    assert half.causes() == ["retired-early", "changed-after-end"]


def _count(value: bytes | None) -> int:
    return len(json.loads(value)["events"]) if value else 0


def test_what_keeps_its_share_of_the_digest_is_told() -> None:
    log = over()
    retire(log, digest=log.digest)
    assert log.causes() == ["digest-mismatch"]


def test_a_retired_one_with_a_deadline_is_told() -> None:
    log = over()
    retire(log)
    log.outcome(ID, deadline=RETIRING, **UNKNOWN)
    assert log.causes() == ["deadline-changed"]


def test_what_is_no_table_may_come_back() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    retire(log, "a")
    log.outcome(events=[ADDED])
    report = log.report()
    assert report.clean, report.violations
    assert report.retired == 1


@pytest.mark.parametrize(
    ("events", "to_version"), [([ADDED], 0), ([RETIRED], 2), ([RETIRED, ADDED], 0), ([], 0)], ids=str
)
def test_version_0_means_retired_and_nothing_else_does(events: list[dict[str, Any]], to_version: int) -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    header = {"to_version": to_version, "digest": share("a", to_version)}
    log.outcome(events=events, header=header, version=to_version)
    assert "header-and-body" in log.causes()
