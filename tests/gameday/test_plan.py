"""Which faults a game day holds."""

from random import Random

import pytest
from bench.gameday import plan
from bench.gameday.faults import FAULTS


def test_the_short_plan_leaves_out_what_takes_long_to_heal() -> None:
    assert set(FAULTS) - set(plan.SHORT) == {
        "network_half_open",
        "controller_frozen",
        "cache_killed",
        "projector_killed",
    }


def test_the_long_plan_kills_as_often_as_it_says_and_does_everything_else_too() -> None:
    faults = plan.long(Random(1), kills=200)
    assert sum(name.endswith("killed") for name in faults) == 200
    assert set(faults) == set(FAULTS)


@pytest.mark.parametrize("kills", range(1, 7))
def test_a_few_kills_are_no_more_than_asked_for(kills: int) -> None:
    assert sum(name.endswith("killed") for name in plan.long(Random(1), kills)) == kills
