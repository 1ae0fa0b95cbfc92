from tests.capicua.server.audit.scribe import ADDED, NOON, Scribe, alarm

from bus.decider import Deadline
from bus.outcomes import PartitionFold
from capicua.server.timers.lately import LatelyEnded
from capicua.server.timers.standing import Partition

HOUR = 3_600_000


def partition(log: Scribe) -> Partition:
    found = Partition(PartitionFold(log.source), LatelyEnded())
    found.take(log.events)
    return found


def beats(log: Scribe, until: int) -> None:
    """An owner that is heard every second."""
    while log.now < until:
        log.now = min(until, log.now + 1000)
        log.beat()


def test_the_newest_valid_outcome_of_each_aggregate_says_what_stands() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(0))
    log.outcome("b", [ADDED], deadline=alarm(0))
    log.outcome("a", [ADDED], deadline=alarm(1, length=2000))
    log.outcome("b", [ADDED], deadline=None)
    log.outcome("nobody", deadline=None)
    assert [(each.aggregate, each.deadline) for each in partition(log).standing(NOON)] == [("a", alarm(1, length=2000))]


def test_what_does_not_count_neither_arms_nor_disarms() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(0))
    log.outcome("a", [ADDED], deadline=None, header={"owner": b"z" * 16}, counts=False)
    log.outcome("b", [ADDED], deadline=alarm(0), header={"command_offset": 7}, counts=False)
    assert [each.aggregate for each in partition(log).standing(NOON)] == ["a"]


def test_a_second_after_its_time_a_deadline_is_overdue() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(length=1000))
    beats(log, NOON + 2001)
    [standing] = partition(log).standing(log.now)
    assert (standing.overdue_ms(NOON + 2000), standing.overdue_ms(NOON + 2001)) == (0, 1001)


def test_an_outage_puts_a_deadline_off_by_its_length_and_five_seconds() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(length=60_000))
    log.now += 10_000
    log.beat()
    beats(log, NOON + 80_000)
    [standing] = partition(log).standing(log.now)
    assert standing.due_at == NOON + 75_000
    assert standing.overdue_ms(log.now) == 5000


def test_while_nobody_owns_the_partition_nothing_falls_due_and_somebody_is_silent() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(length=60_000))
    found, now = partition(log), NOON + HOUR
    [standing] = found.standing(now)
    assert (standing.put_off, standing.overdue_ms(now), found.silent_ms(now)) == (True, 0, HOUR)
    assert found.silent_ms(NOON + 3000) == 0


def test_what_was_due_before_its_owner_fell_silent_is_overdue() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(length=1000))
    beats(log, NOON + 2000)
    [standing] = partition(log).standing(NOON + HOUR)
    assert (standing.put_off, standing.overdue_ms(NOON + HOUR)) == (False, HOUR - 1000)


def test_silence_where_nothing_stands_is_nobodys_concern() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=None)
    assert partition(log).silent_ms(NOON + HOUR) == 0


def test_times_that_no_calendar_has_are_times() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=Deadline("alarm", "never", NOON, 2**63 - 1))
    log.outcome("b", [ADDED], deadline=Deadline("alarm", "always", -(2**63), -(2**63)))
    late = {each.aggregate: each.overdue_ms(NOON) for each in partition(log).standing(NOON)}
    assert late == {"a": 0, "b": NOON + 2**63}
