"""How waits are shared out among what was done meanwhile."""

from typing import Any

import pytest
from bench.gameday.asking import Answer
from bench.gameday.probes import Period, Probes, one_of_each_partition

from bus.partitioning import partition_of
from contracts.envelope import OutcomeBody
from contracts.topics import PARTITIONS_LOCAL, PARTITIONS_PRODUCTION

BODY = OutcomeBody(command_id="c", principal="p", aggregate="a", version=0, at=0, decided_at=0, rules_version="1")
NOBODY: Any = None


def probes(*marks: tuple[str, float]) -> Probes:
    return Probes(NOBODY, [Period(what, began) for what, began in marks])


@pytest.mark.parametrize("partitions", [1, PARTITIONS_LOCAL, PARTITIONS_PRODUCTION])
def test_there_is_one_name_for_each_partition(partitions: int) -> None:
    names = one_of_each_partition(partitions)
    assert [partition_of(name, partitions) for name in names] == list(range(partitions))


def test_a_wait_within_one_period_is_all_its_own() -> None:
    asked = probes(("calm", 0.0), ("kill", 10.0))
    asked.note(Answer(BODY, 11.0, 13.5), first=1)
    assert [period.waits for period in asked.periods] == [[], [2.5]]


def test_a_question_that_was_under_way_at_a_fault_waits_for_the_fault_from_then_on() -> None:
    asked = probes(("calm", 0.0), ("kill", 10.0), ("comes up", 12.0))
    asked.note(Answer(BODY, 9.75, 12.5), first=0)
    assert [period.waits for period in asked.periods] == [[0.25], [2.0], [0.5]]


def test_of_every_kind_the_longest_wait_after_each_mark_is_told() -> None:
    asked = probes(("calm", 0.0), ("kill", 10.0), ("calm", 20.0), ("kill", 30.0))
    for sent, answered, first in ((10.0, 12.0, 1), (11.0, 12.0, 1), (20.0, 20.5, 2), (30.0, 33.0, 3)):
        asked.note(Answer(BODY, sent, answered), first)
    assert dict(asked.by_kind()) == {"kill": [pytest.approx(2.0), pytest.approx(3.0)], "calm": [pytest.approx(0.5)]}
