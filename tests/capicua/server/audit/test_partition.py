from dataclasses import replace
from typing import Any

import pytest
from tests.capicua.server.audit.scribe import ADDED, Scribe, alarm

from bus.header import Claim
from bus.partitioning import partition_of
from capicua.server.audit import Known
from contracts.topics import BY_NAME, DAY_MS


def test_a_log_that_does_not_begin_with_its_founding_is_told() -> None:
    log = Scribe()
    log.claim()
    log.outcome()
    assert log.causes() == ["no-founding"]


def test_a_log_without_its_beginning_is_told_and_judged_from_the_first_claim_on() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    log.claim()
    log.outcome(events=[ADDED])
    log.outcome("b")
    log.events, log.commands = log.events[2:], log.commands[1:]
    report = log.report()
    assert [violation.cause.value for violation in report.violations] == ["missing-start"]
    assert (report.valid, sum(report.void.values())) == (2, 1)


def test_a_topic_that_forgets_may_have_lost_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    log.claim()
    log.outcome(events=[ADDED])
    log.events, log.commands = log.events[3:], log.commands[1:]
    monkeypatch.setitem(BY_NAME, "tally.events", replace(BY_NAME["table.events"], retention_ms=DAY_MS))
    report = log.report()
    assert report.clean, report.violations
    assert report.valid == 1


def test_a_hole_in_the_event_topic_is_told() -> None:
    log = Scribe().begin()
    log.beat()
    log.outcome()
    del log.events[2]
    assert log.causes() == ["record-gap"]


def test_two_claims_at_one_offset_are_told() -> None:
    log = Scribe().begin()
    log.events.append(log.events[-1])
    assert log.causes() == ["record-repeated"]


def test_versions_that_jump_are_told() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    log.versions["a"] = 2
    log.outcome(events=[ADDED])
    assert log.causes()[0] == "version-gap"


def test_a_digest_that_is_another_states_is_told_once() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    log.digest ^= 1
    log.outcome(events=[ADDED])
    log.outcome(events=[ADDED])
    assert log.causes() == ["digest-mismatch"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"value": b"{"},
        {"value": b"[]"},
        {"value": b"[" * 100_000},
        {"version": 7},
        {"version": "1"},
        {"events": [ADDED], "header": {"to_version": 0}},
        {"key": "b"},
        {"fault": {"code": "bug", "message": ""}, "events": [ADDED]},
        {"refusal": {}},
    ],
    ids=str,
)
def test_a_body_that_does_not_agree_with_its_header_is_told(wrong: dict[str, Any]) -> None:
    log = Scribe().begin()
    log.outcome(**wrong)
    assert "header-and-body" in log.causes()


def test_an_outcome_of_more_than_512_kib_is_told() -> None:
    log = Scribe().begin()
    log.outcome(events=[{"type": "added", "text": "x" * 512 * 1024}])
    assert log.causes() == ["too-large"]


def test_an_aggregate_on_anothers_partition_is_told_where_it_changed() -> None:
    known = Known(partitions={"tally.events": 3})
    home = partition_of("a", 3)
    right, wrong = Scribe(partition=home).begin(), Scribe(partition=(home + 1) % 3).begin()
    for log in (right, wrong):
        log.outcome(fault={"code": "wrong-partition", "message": ""})
    assert right.causes(known) == wrong.causes(known) == []
    for log in (right, wrong):
        log.outcome(events=[ADDED])
        log.outcome(events=[ADDED])
    assert right.causes(known) == []
    assert wrong.causes(known) == ["wrong-partition"]


def test_deadlines_that_passed_before_the_log_ended_are_counted() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED], deadline=alarm())
    log.now += 900
    log.beat()
    assert log.report().overdue == 0
    log.now += 900
    log.beat()
    report = log.report()
    assert (report.overdue, report.overdue_ms_max) == (1, 800)


def test_partitions_have_nothing_to_do_with_each_other() -> None:
    one, other = Scribe(partition=0).begin(), Scribe(partition=1).begin()
    one.outcome(events=[ADDED])
    other.put(Claim(b"z" * 16, 0))
    one.events += other.events
    report = one.report()
    assert report.clean
    assert (report.partitions, report.claims) == (2, 3)
