from typing import Any

import pytest
from tests.capicua.server.audit.scribe import ADDED, Scribe, alarm, timeout

NEGATIVE = {"code": "negative", "message": ""}


def armed() -> Scribe:
    """Aggregate a has an alarm, due in a second."""
    log = Scribe().begin()
    log.outcome(events=[ADDED], deadline=alarm())
    return log


@pytest.mark.parametrize(
    "trouble", [{"refusal": NEGATIVE}, {"fault": NEGATIVE}, {}], ids=["refusal", "fault", "nothing"]
)
def test_what_changes_nothing_tells_the_standing_deadline(trouble: dict[str, Any]) -> None:
    log = armed()
    log.outcome(**trouble)
    assert log.causes() == []
    log.outcome(deadline=None, **trouble)
    assert log.causes() == ["deadline-missing"]


def test_a_refusal_with_another_deadline_is_told() -> None:
    log = armed()
    log.outcome(deadline=alarm(length=2000), refusal=NEGATIVE)
    assert log.causes() == ["deadline-changed"]


def test_a_refusal_for_nobody_has_no_deadline() -> None:
    log = Scribe().begin()
    log.outcome(deadline=alarm(), refusal=NEGATIVE)
    assert log.causes() == ["deadline-changed"]


def test_a_timeout_after_its_deadline_is_as_it_should_be() -> None:
    log = armed()
    log.now += 1001
    log.outcome(events=[ADDED], deadline=alarm(1, log.now), **timeout("alarm-0"))
    report = log.report()
    assert report.clean, report.violations
    assert report.timeouts == 1


@pytest.mark.parametrize("late", [999, 1000])
def test_a_timeout_at_or_before_its_deadline_is_told(late: int) -> None:
    log = armed()
    log.now += late
    log.outcome(events=[ADDED], deadline=alarm(1, log.now), **timeout("alarm-0"))
    assert log.causes() == ["timeout-early"]


def test_a_timeout_that_was_refused_is_none() -> None:
    log = armed()
    log.outcome(refusal={"code": "too-early", "message": ""}, **timeout("alarm-0"))
    log.now += 1001
    log.outcome(events=[ADDED], deadline=None, **timeout("alarm-0", attempt=2))
    log.outcome(refusal={"code": "not-current", "message": ""}, **timeout("alarm-0", attempt=3))
    report = log.report()
    assert report.clean, report.violations
    assert report.timeouts == 1


def test_a_second_timeout_of_the_same_deadline_is_told() -> None:
    log = armed()
    log.now += 1001
    log.outcome(events=[ADDED], deadline=alarm(0, log.now), **timeout("alarm-0"))
    log.now += 1001
    log.outcome(events=[ADDED], deadline=None, **timeout("alarm-0", attempt=2))
    assert log.causes() == ["timeout-twice"]


def test_a_timeout_of_a_deadline_that_does_not_stand_is_told() -> None:
    log = armed()
    log.now += 1001
    log.outcome(events=[ADDED], deadline=None, **timeout("alarm-7"))
    log.outcome(events=[ADDED], deadline=None, **timeout("alarm-8"))
    assert log.causes() == ["timeout-not-current"] * 2


def test_a_command_after_the_deadline_that_leaves_it_standing_is_told() -> None:
    log = armed()
    log.now += 1000
    log.outcome(events=[ADDED])
    log.now += 1
    log.outcome(fault={"code": "undecodable", "message": ""})
    log.outcome(refusal={"code": "not-current", "message": ""}, principal="a-timer-of-tests")
    assert log.causes() == []
    log.outcome(refusal=NEGATIVE)
    assert log.causes() == ["timeout-forgotten"]


def outage() -> Scribe:
    """Ten seconds were set; six seconds of silence began at once."""
    log = Scribe().begin()
    log.outcome(events=[ADDED], deadline=alarm(length=10_000))
    log.now += 6_000
    log.claim()
    return log


def test_an_outage_puts_a_deadline_off_by_its_length_and_five_seconds() -> None:
    log = outage()
    for _ in range(7):
        log.now += 2_000
        log.beat()
        log.outcome(refusal=NEGATIVE)
    report = log.report()
    assert report.clean, report.violations
    assert report.outages == 1
    log.now += 1_000
    log.outcome(refusal=NEGATIVE)
    assert log.causes() == []
    log.now += 1
    log.outcome(refusal=NEGATIVE)
    assert log.causes() == ["timeout-forgotten"]


@pytest.mark.parametrize(("after", "causes"), [(21_000, ["timeout-in-outage"]), (21_001, [])])
def test_a_timeout_in_time_that_was_given_back_is_told(after: int, causes: list[str]) -> None:
    log = outage()
    while log.now + 2_000 < alarm().set_at + after:
        log.now += 2_000
        log.beat()
    log.now = alarm().set_at + after
    log.outcome(events=[ADDED], deadline=None, **timeout("alarm-0"))
    assert log.causes() == causes


def test_what_an_owner_could_not_know_yet_is_not_held_against_it() -> None:
    """It was silent itself, and went on under the same claim."""
    log = Scribe().begin()
    log.outcome(events=[ADDED], deadline=alarm(length=5_000))
    log.now += 6_000
    log.outcome(events=[ADDED], deadline=None, **timeout("alarm-0"))
    assert log.report().outages == 1
    assert log.causes() == []


def test_a_turn_that_is_timed_out_by_another_command_too_early_is_told() -> None:
    log = armed()
    log.now += 1000
    log.outcome(events=[{"type": "turn-timed-out"}], deadline=None)
    assert log.causes() == ["timeout-early"]


def test_one_command_id_has_one_effect() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED], command_id="c")
    log.outcome(events=[ADDED], command_id="c", principal="bob")
    log.outcome("b", events=[ADDED], command_id="c")
    log.outcome(command_id="c", duplicate_of=0, version=1)
    assert log.causes() == []
    log.outcome(events=[ADDED], command_id="c")
    assert log.causes() == ["second-effect"]


def test_one_command_id_is_decided_once() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    log.outcome(command_id="c", refusal=NEGATIVE)
    log.outcome(command_id="c", refusal=NEGATIVE, principal="bob")
    log.outcome(command_id="t", refusal={"code": "too-early", "message": ""})
    log.outcome(command_id="t", refusal={"code": "too-early", "message": ""})
    assert log.causes() == []
    log.outcome(command_id="c", refusal=NEGATIVE)
    assert log.causes() == ["decided-twice"]


def test_what_was_answered_long_ago_may_have_been_forgotten() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED], command_id="c")
    for _ in range(10):
        log.outcome()
    log.outcome(events=[ADDED], command_id="c")
    assert log.causes() == []


def test_a_repeated_command_that_changes_something_is_told() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED], command_id="c")
    log.outcome(events=[ADDED], command_id="c", duplicate_of=0, version=1)
    assert log.causes() == ["duplicate-changes"]


def test_a_first_answer_lies_before_its_repetition() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED], command_id="c")
    log.outcome(command_id="c", duplicate_of=1, version=1)
    assert log.causes() == ["duplicate-changes"]
