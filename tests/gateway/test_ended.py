from tests.memory_log import NOON, HandClock

from bus.clock import BrokerTime
from contracts.account import AccountState, EndedSession
from gateway.ended import KEPT_MS, Ended

PHONE, LAPTOP = "p" * 32, "l" * 32


def ended(known_max: int = 1000) -> tuple[Ended, HandClock]:
    clock = HandClock()
    return Ended(BrokerTime(clock), known_max), clock


def state(account: str = "ann", **told: object) -> AccountState:
    wanted = {"account": account, "version": 2, "kind": "guest", "region": "eu", "made_at": 1, **told}
    return AccountState.model_validate(wanted)


def over(session: str, at: int = NOON) -> tuple[EndedSession, ...]:
    return (EndedSession(session=session, at=at),)


def test_nothing_has_ended_of_which_nothing_was_told() -> None:
    known, _ = ended()
    known.take(state(), NOON)
    assert known.allows("ann", PHONE, NOON - 1)
    assert len(known) == 0


def test_a_session_that_has_ended_has_no_good_token_whenever_it_was_signed_and_others_have() -> None:
    known, _ = ended()
    known.take(state(ended=over(PHONE)), NOON)
    assert not known.allows("ann", PHONE, NOON - 1)
    assert not known.allows("ann", PHONE, NOON + 1)
    assert known.allows("ann", LAPTOP, NOON - 1)
    assert known.allows("ben", PHONE, NOON - 1)


def test_after_all_sessions_were_ended_only_what_is_signed_later_is_good() -> None:
    known, _ = ended()
    known.take(state(all_ended_at=NOON), NOON + 5)
    assert [known.allows("ann", PHONE, NOON + later) for later in (-1, 0, 1)] == [False, False, True]
    assert known.allows("ben", PHONE, NOON - 1)


def test_a_newer_end_counts_and_an_older_one_changes_nothing() -> None:
    known, _ = ended()
    known.take(state(all_ended_at=NOON), NOON)
    known.take(state(all_ended_at=NOON - 100), NOON)
    assert not known.allows("ann", PHONE, NOON)
    known.take(state(all_ended_at=NOON + 100), NOON + 100)
    assert not known.allows("ann", PHONE, NOON + 100)


def test_a_deleted_account_and_one_that_is_another_now_have_no_good_token() -> None:
    known, _ = ended()
    known.deleted("ann", NOON)
    known.take(state("ben", merged_into="cid"), NOON)
    for account in ("ann", "ben"):
        assert not known.allows(account, PHONE, NOON + 1)
    assert known.allows("cid", PHONE, NOON - 1)


def test_what_no_token_can_outlive_is_forgotten() -> None:
    known, clock = ended()
    known.take(state(ended=over(PHONE)), NOON)
    clock.now += KEPT_MS + 1
    known.take(state("ben", ended=over(LAPTOP)), clock.now)
    assert len(known) == 1
    assert not known.allows("ben", LAPTOP, NOON)


def test_what_cannot_be_kept_costs_everybody_a_renewal_and_never_makes_an_ended_session_good_again() -> None:
    known, _ = ended(known_max=3)
    for number in range(5):
        known.take(state(f"g{number}", ended=over(PHONE)), NOON + number)
    assert len(known) == 3
    assert not known.allows("g0", PHONE, NOON)
    assert not known.allows("ann", LAPTOP, NOON + 1)
    assert known.allows("ann", LAPTOP, NOON + 2)
    assert not known.allows("g4", PHONE, NOON + 4)
