"""What a game day calls slow, and what it calls wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from bench.gameday.ledger import Ledger
from bench.gameday.report import Report, percentile

from bus.owner import FOREIGN

FOREIGN_ALARM = f"table partition N: {FOREIGN}"


def report(
    *,
    counts: Mapping[str, int] | None = None,
    waits: Mapping[str, Sequence[float]] | None = None,
    codes: Mapping[str, int] | None = None,
    alarms: Mapping[str, int] | None = None,
    ledger: Ledger | None = None,
) -> Report:
    return Report(
        ledger=ledger or Ledger(),
        counts=Counter(counts or {}),
        waits=waits or {},
        codes=Counter(codes or {}),
        matches=0,
        seconds=1.0,
        alarms=Counter(alarms or {}),
    )


@pytest.mark.parametrize(("part", "expected"), [(0.5, 5), (0.9, 9), (1.0, 10), (0.01, 1)])
def test_a_percentile_is_a_value_that_there_was(part: float, expected: float) -> None:
    assert percentile(list(range(1, 11)), part) == expected


def test_kills_are_counted_whoever_was_killed() -> None:
    assert report(counts={"table SIGKILL": 3, "broker SIGKILL": 2, "table SIGSTOP": 4}).kills == 5


def test_slow_is_what_takes_longer_than_its_limit_in_one_of_ten_cases() -> None:
    assert report(waits={"table SIGKILL": [2.0] * 9 + [9.0]}).slow == []
    assert len(report(waits={"table SIGKILL": [2.0] * 8 + [9.0] * 2}).slow) == 1


def test_a_fault_that_no_command_deserves_is_wrong() -> None:
    assert report(codes={"accepted": 5, "unknown-table": 7}).wrong == []
    assert report(codes={"poison": 1}).wrong == ["poison, 1 times"]


def test_the_alarm_about_a_stranger_is_wrong_where_no_stranger_wrote() -> None:
    assert report(alarms={FOREIGN_ALARM: 6}, counts={"stranger writes": 1}).wrong == []
    assert report(alarms={FOREIGN_ALARM: 1}).wrong != []


def test_the_alarm_about_a_stranger_is_called_expected_where_a_stranger_wrote() -> None:
    lines = report(alarms={FOREIGN_ALARM: 6, "a bug": 1}, counts={"stranger writes": 1}).lines()
    assert f"expected alarm, as strangers wrote: {FOREIGN_ALARM}, 6 times" in lines
    assert "alarms: {'a bug': 1}" in lines
    unexpected = report(alarms={FOREIGN_ALARM: 6}).lines()
    assert not any(line.startswith("expected alarm") for line in unexpected)


def test_what_the_ledger_calls_wrong_is_wrong_and_said_before_the_verdict() -> None:
    found = report(ledger=Ledger(wrong=["acknowledged and lost: ann c1"]))
    assert found.wrong == ["acknowledged and lost: ann c1"]
    assert found.lines()[-2:] == ["WRONG: acknowledged and lost: ann c1", "WRONG: 1 thing, see above"]


def test_the_last_line_is_the_verdict() -> None:
    assert report().lines()[-1] == "Nothing was lost."
    assert report(codes={"poison": 1, "bug": 2}).lines()[-1] == "WRONG: 2 things, see above"
