import pytest
from tests.capicua.server.audit.scribe import ADDED, Scribe

from bus.header import HEADER, Claim, CommandsSkipped, Founding, pack
from capicua.server.audit import Known


def test_a_log_as_owners_write_it_is_clean() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    log.beat()
    log.claim()
    log.outcome(events=[ADDED, ADDED])
    log.outcome("b", refusal={"code": "negative", "message": "expected a number from 0"})
    report = log.report(Known(settled=True))
    assert report.clean, report.violations
    assert not report.void
    assert (report.records, report.commands, report.valid) == (7, 3, 3)
    assert (report.claims, report.heartbeats, report.refusals, report.aggregates) == (2, 1, 1, 1)


def test_an_outcome_under_an_older_claim_is_a_zombies() -> None:
    log = Scribe().begin()
    before = {"claim_offset": log.claim_offset, "owner": log.owner}
    log.claim()
    log.outcome(header=before, counts=False, command=False)
    log.outcome()
    assert log.void() == {"zombie-claim": 1}


def test_an_outcome_that_names_the_newest_claim_and_another_owner_is_void() -> None:
    log = Scribe().begin()
    log.outcome(header={"owner": b"x" * 16}, counts=False, command=False)
    assert log.void() == {"wrong-owner": 1}


def test_of_a_claim_that_landed_twice_only_the_later_one_counts() -> None:
    log = Scribe().begin()
    first = log.claim_offset
    log.claim_offset = log.put(Claim(log.owner, 0))
    log.outcome(header={"claim_offset": first}, counts=False, command=False)
    log.outcome()
    assert log.void() == {"zombie-claim": 1}


@pytest.mark.parametrize("offset", [0, 700, -1])
def test_an_outcome_under_an_offset_without_a_claim_is_void(offset: int) -> None:
    log = Scribe().begin()
    log.outcome(header={"claim_offset": offset}, counts=False, command=False)
    assert log.void() == {"unknown-claim": 1}


def test_what_follows_a_lost_record_is_void_until_the_command_is_decided_again() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    for ahead in (2, 3):
        log.outcome(header={"command_offset": ahead}, counts=False, command=False)
    log.claim()
    for _ in range(3):
        log.outcome(events=[ADDED])
    assert log.void() == {"after-a-gap": 2}


def test_a_second_outcome_of_a_command_is_void() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    log.outcome(events=[ADDED], header={"command_offset": 0}, counts=False, command=False)
    assert log.void() == {"repeated": 1}


def test_a_heartbeat_of_an_older_claim_is_void() -> None:
    log = Scribe().begin()
    before = log.owner
    log.claim()
    log.beat(before)
    assert log.void() == {"zombie-heartbeat": 1}


def test_a_second_founding_is_void() -> None:
    log = Scribe().begin()
    log.put(Founding(b"z" * 16))
    assert log.void() == {"late-founding": 1}


def test_commands_passed_over_need_no_outcome() -> None:
    log = Scribe().begin()
    for _ in range(3):
        log.command()
    log.skip(0, 2)
    log.claim()
    log.outcome()
    report = log.report(Known(settled=True))
    assert report.clean, report.violations
    assert (report.skipped, report.valid) == (3, 1)


@pytest.mark.parametrize("passed", [(1, 2), (0, -1)])
def test_a_passing_over_that_does_not_begin_at_the_next_command_is_void(passed: tuple[int, int]) -> None:
    log = Scribe().begin()
    log.put(CommandsSkipped(*passed, "by hand"))
    assert log.void() == {"bad-skip": 1}


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ((), "no-header"),
        (((HEADER, pack(Claim(b"x" * 16, 0))),) * 2, "doubled-header"),
        (((HEADER, b""),), "malformed-header"),
        (((HEADER, pack(Claim(b"x" * 16, 0))[:-1]),), "malformed-header"),
        (((HEADER, pack(Claim(b"x" * 16, 0)) + b"x"),), "malformed-header"),
        (((HEADER, b"\x63\x01strange"),), "foreign-kind"),
        (((HEADER, b"\x02\x63strange"),), "foreign-kind"),
    ],
)
def test_a_record_without_a_readable_header_is_void(headers: tuple[tuple[str, bytes], ...], why: str) -> None:
    log = Scribe().begin()
    log.put_raw(headers)
    log.outcome()
    assert log.void() == {why: 1}


def test_a_record_that_the_broker_did_not_stamp_is_void() -> None:
    log = Scribe().begin()
    log.put_raw(((HEADER, pack(Claim(b"x" * 16, 0))),), appended_time=False)
    log.outcome()
    assert log.void() == {"create-time": 1}


def test_before_any_claim_nothing_counts() -> None:
    log = Scribe()
    log.put(Founding(b"l" * 16))
    log.outcome(header={"claim_offset": -1, "owner": bytes(16)}, counts=False, command=False)
    assert log.void() == {"unknown-claim": 1}
