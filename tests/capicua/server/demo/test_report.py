from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from tests.capicua.matches import Outcome, match, replay

from capicua.replay import Verification
from capicua.server.demo.ledger import Ledger
from capicua.server.demo.plan import SILENT_TABLES, TABLES, VICTIMS, Plan
from capicua.server.demo.players import Ending
from capicua.server.demo.report import Report


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """Every seat ends on autopilot."""
    return list(match("draw", 2, 50))


@pytest.fixture
def endings(outcomes: list[Outcome]) -> list[Ending]:
    return [
        Ending(f"table{number}", outcomes[-1].view(seat), seat == 2 and number < SILENT_TABLES, connections=2)
        for number in range(TABLES)
        for seat in (1, 2)
    ]


def failures_of(endings: list[Ending]) -> list[str]:
    report = Report()
    report.matches(Plan.of(Random(1)), endings)
    return report.failures


def test_twenty_matches_with_one_result_each_are_as_they_must_be(endings: list[Ending]) -> None:
    assert failures_of(endings) == []


def test_a_client_that_saw_another_result_is_a_failure(endings: list[Ending]) -> None:
    result = endings[0].last.result
    assert result is not None
    last = endings[0].last.model_copy(update={"result": result.model_copy(update={"scores": (0, 0)})})
    (failure,) = failures_of([replace(endings[0], last=last), *endings[1:]])
    assert "one result" in failure
    assert "19 of 20" in failure


def test_a_match_that_did_not_finish_is_a_failure(endings: list[Ending], outcomes: list[Outcome]) -> None:
    failures = failures_of([replace(endings[0], last=outcomes[-2].view(1)), *endings[1:]])
    assert any("matches finished" in failure for failure in failures)


def test_a_silent_seat_that_was_not_on_autopilot_is_a_failure(endings: list[Ending]) -> None:
    last = endings[1].last
    seats = tuple(seat.model_copy(update={"autopilot": False}) for seat in last.seats)
    awake = replace(endings[1], last=last.model_copy(update={"seats": seats}))
    (failure,) = failures_of([endings[0], awake, *endings[2:]])
    assert "5 of 6" in failure


@pytest.mark.parametrize(
    ("kills", "waiting", "due"),
    [(2, [5, 6, 7], 2), (3, [5, 4, 5], 2), (3, [5, 5, 5], 1), (3, [], 2)],
)
def test_too_little_chaos_is_a_failure(kills: int, waiting: list[int], due: int) -> None:
    report = Report()
    report.chaos(Counter(dict.fromkeys(VICTIMS, kills)), waiting, due)
    assert len(report.failures) == 1


def test_enough_chaos_is_none() -> None:
    report = Report()
    report.chaos(Counter(dict.fromkeys(VICTIMS, 3)), [5, 5, 8], 2)
    assert report.failures == []


def test_replays_must_all_verify_and_end_as_the_clients_saw(outcomes: list[Outcome]) -> None:
    honest = replay(outcomes)
    results = {honest.table_id: str(outcomes[-1].view(1).result)}
    every = [Verification(honest) for _ in range(TABLES)]
    report = Report()
    report.replays(every, results)
    assert report.failures == []
    report.replays(every[1:], results)
    assert len(report.failures) == 2
    tampered = honest.model_copy(update={"outcomes": honest.outcomes[:-1]})
    report = Report()
    report.replays([*every[1:], Verification(tampered)], results)
    assert len(report.failures) == 2


def test_a_log_with_one_outcome_too_few_is_a_failure() -> None:
    report = Report()
    report.ledger(Ledger("table", commands=10, outcomes=9, wrong=["table.commands-0 at 3: no valid outcome"]))
    assert len(report.failures) == 2
    report = Report()
    report.ledger(Ledger("table", commands=10, outcomes=10))
    assert report.failures == []
