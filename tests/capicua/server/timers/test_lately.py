import pytest
from tests.capicua.server.audit.scribe import ADDED, NOON, Scribe, alarm, timeout

from bus.outcomes import PartitionFold
from capicua.server.timers.lately import LATELY, LatelyEnded, Spread, spread
from capicua.server.timers.standing import Partition


def lately(log: Scribe) -> LatelyEnded:
    found = Partition(PartitionFold(log.source), LatelyEnded())
    found.take(log.events)
    return found.ended


def armed() -> Scribe:
    """A deadline a second after noon, and an owner that is heard half a second before."""
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(length=1000))
    log.now = NOON + 500
    log.beat()
    return log


def test_a_timeout_says_when_it_was_asked_for_and_when_it_took_effect() -> None:
    log = armed()
    log.now = NOON + 1120
    log.outcome("a", [ADDED], deadline=None, at=NOON + 1003, **timeout("alarm-0"))
    lateness = lately(log).by_kind()["alarm"]
    assert (lateness.asked, lateness.effective, lateness.by_others) == ([3], [120], 0)


def test_a_command_that_comes_too_late_and_ends_the_turn_is_not_the_timers() -> None:
    log = armed()
    log.now = NOON + 1120
    log.outcome("a", [ADDED], deadline=None, at=NOON + 1100)
    lateness = lately(log).by_kind()["alarm"]
    assert (lateness.asked, lateness.by_others) == ([], 1)


def test_a_command_in_time_is_not_late_though_its_outcome_is() -> None:
    log = armed()
    log.now = NOON + 1120
    log.outcome("a", [ADDED], deadline=None, at=NOON + 1000)
    assert lately(log).by_kind() == {}


def test_what_outages_give_back_is_not_late() -> None:
    log = armed()
    log.now = NOON + 20_000
    log.claim()
    log.now = NOON + 20_500
    log.outcome("a", [ADDED], deadline=None, at=NOON + 20_400, **timeout("alarm-0"))
    assert list(lately(log)) == []


def test_a_refused_timeout_has_ended_nothing() -> None:
    log = armed()
    log.now = NOON + 1120
    log.outcome("a", at=NOON + 1003, **timeout("alarm-0"))
    assert list(lately(log)) == []


def test_the_newest_are_kept_and_a_body_that_cannot_be_read_says_nothing() -> None:
    log = Scribe().begin()
    for number in range(LATELY + 5):
        log.now += 1
        log.outcome("a", [ADDED], deadline=alarm(number, log.now, 1))
        log.now += 2
        log.outcome("a", [ADDED], deadline=None, value=b"{" if number % 2 else None, **timeout(f"alarm-{number}"))
    kept = lately(log)
    assert min(ended.logged_at for ended in kept) == NOON + 3 * 6
    assert len(list(kept)) == LATELY
    assert len(kept.by_kind()["alarm"].asked) == LATELY / 2


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], None), ([7], Spread(7, 7, 7)), ([*range(1, 201)], Spread(100, 198, 200)), ([3, 1, 2], Spread(2, 3, 3))],
)
def test_percentiles_are_by_nearest_rank(values: list[int], expected: Spread | None) -> None:
    assert spread(values) == expected
