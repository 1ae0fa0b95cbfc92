from enum import Enum
from pathlib import Path

import pytest

from bus.records import TopicPartition
from capicua.server.audit import Cause, Report, Void
from capicua.server.audit.report import VIOLATIONS_TOLD

TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))


@pytest.mark.parametrize("what", [*Cause, *Void], ids=lambda what: what.value)
def test_every_kind_of_finding_is_planted_in_some_test(what: Enum) -> None:
    assert f'"{what.value}"' in TESTS


def test_all_violations_are_counted_and_the_first_thousand_told() -> None:
    report = Report()
    for offset in range(VIOLATIONS_TOLD + 1):
        report.add(Cause.VERSION_GAP, TopicPartition("tally.events", 0), offset, "a", 1, 2)
    assert not report.clean
    assert report.counts[Cause.VERSION_GAP] == VIOLATIONS_TOLD + 1
    assert len(report.violations) == VIOLATIONS_TOLD
    assert str(report.violations[0]) == "tally.events:0:0 a: version-gap: expected 1, got 2"
