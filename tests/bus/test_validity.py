from bus.header import HEADER, Claim, CommandsSkipped, EventHeader, Founding, Heartbeat, Jump, OutcomeHeader, pack
from bus.outages import Outage
from bus.records import Record
from bus.validity import Validity, Verdict

A, B = b"a" * 16, b"b" * 16


def record(offset: int, header: EventHeader | bytes, appended_time: bool = True) -> Record:
    data = header if isinstance(header, bytes) else pack(header)
    return Record("t.events", 0, offset, 1000 + offset, b"k", b"", ((HEADER, data),), appended_time)


def outcome(claim: int, owner: bytes, command: int) -> OutcomeHeader:
    return OutcomeHeader(claim, owner, command, 0, 0, 0, None, None)


def verdicts(*headers: EventHeader | bytes) -> list[Verdict]:
    validity = Validity()
    return [validity.judge(record(offset, header)).verdict for offset, header in enumerate(headers)]


VALID, PROTOCOL, STALE, BROKEN = Verdict.VALID, Verdict.PROTOCOL, Verdict.STALE_CLAIM, Verdict.BROKEN_CHAIN


def test_outcomes_of_the_newest_claim_count_in_command_order() -> None:
    log = verdicts(Founding(A), Claim(A, 0), outcome(1, A, 0), Heartbeat(A), outcome(1, A, 1))
    assert log == [PROTOCOL, PROTOCOL, VALID, PROTOCOL, VALID]


def test_a_zombie_counts_for_nobody() -> None:
    log = verdicts(Founding(A), Claim(A, 0), outcome(1, A, 0), Claim(B, 1), outcome(1, A, 1), outcome(3, B, 1))
    assert log[-2:] == [STALE, VALID]


def test_a_claim_that_lands_twice_makes_the_first_one_stale() -> None:
    log = verdicts(Founding(A), Claim(A, 0), Claim(A, 0), outcome(1, A, 0), outcome(2, A, 0))
    assert log[-2:] == [STALE, VALID]


def test_a_lost_record_voids_all_that_follows_it() -> None:
    log = verdicts(Founding(A), Claim(A, 0), outcome(1, A, 0), outcome(1, A, 2), outcome(1, A, 3), outcome(1, A, 1))
    assert log[-3:] == [BROKEN, BROKEN, VALID]


def test_an_outcome_written_twice_counts_once() -> None:
    assert verdicts(Founding(A), Claim(A, 0), outcome(1, A, 0), outcome(1, A, 0))[-2:] == [VALID, BROKEN]


def test_the_first_command_is_offset_0() -> None:
    assert verdicts(Founding(A), Claim(A, 5), outcome(1, A, 5))[-1] == BROKEN


def test_commands_are_passed_over_only_from_the_next_one() -> None:
    assert verdicts(Founding(A), CommandsSkipped(1, 4, "why"), CommandsSkipped(0, 4, "why"))[1:] == [BROKEN, VALID]
    assert verdicts(Founding(A), CommandsSkipped(0, -1, "why"))[-1] == BROKEN
    assert verdicts(CommandsSkipped(0, 4, "why"), Claim(A, 5), outcome(1, A, 5))[-1] == VALID


def test_nothing_counts_behind_commands_passed_over_until_the_next_claim() -> None:
    passed = (Founding(A), Claim(A, 3), outcome(1, A, 0), CommandsSkipped(1, 1, "why"))
    assert verdicts(*passed, outcome(1, A, 2), Heartbeat(A))[-2:] == [STALE, STALE]
    assert verdicts(*passed, Claim(B, 3), outcome(4, B, 2))[-1] == VALID


def test_a_heartbeat_of_an_older_claim_is_stale() -> None:
    assert verdicts(Founding(A), Claim(A, 0), Claim(B, 0), Heartbeat(A), Heartbeat(B))[-2:] == [STALE, PROTOCOL]


def test_a_jump_of_the_clock_is_believed_of_the_newest_claim_alone() -> None:
    validity = Validity()
    validity.judge(record(0, Claim(A, 0)))
    validity.judge(record(1, Claim(B, 0)))
    validity.judge(record(2, Heartbeat(A, Jump(1, 9000))))
    validity.judge(record(3, Heartbeat(B, Jump(7, 907))))
    assert validity.outages.known == (Outage(7, 907),)


def test_a_second_founding_is_ignored() -> None:
    validity = Validity()
    validity.judge(record(0, Founding(A)))
    assert validity.judge(record(1, Founding(B))).verdict is STALE
    assert validity.log_id == A


def test_records_without_the_brokers_time_or_a_readable_header_are_malformed_and_change_nothing() -> None:
    validity = Validity()
    validity.judge(record(0, Claim(A, 0)))
    assert validity.judge(record(1, Claim(B, 0), appended_time=False)).verdict is Verdict.MALFORMED
    assert validity.judge(record(2, b"\xff")).verdict is Verdict.MALFORMED
    doubled = Record("t.events", 0, 3, 0, b"k", b"", ((HEADER, pack(Claim(B, 0))), (HEADER, pack(Claim(B, 0)))))
    assert validity.judge(doubled).verdict is Verdict.MALFORMED
    assert (validity.claim_offset, validity.owner) == (0, A)
