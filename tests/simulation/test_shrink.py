from collections.abc import Sequence

from tests.simulation.faults import Fault
from tests.simulation.shrink import shrink

FAULTS = [Fault(number, float(number), "kill") for number in range(1, 41)]


def test_only_the_faults_that_are_needed_are_left() -> None:
    def fails(faults: Sequence[Fault]) -> bool:
        return {3, 17} <= {fault.number for fault in faults}

    assert [fault.number for fault in shrink(FAULTS, fails)] == [3, 17]


def test_what_fails_without_any_fault_needs_none() -> None:
    assert shrink(FAULTS, lambda _: True) == []
