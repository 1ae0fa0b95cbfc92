"""A check that cannot fail is none: each planted mistake must be found, and by the invariant that it breaks."""

import pytest
from tests.simulation.planted import PLANTED
from tests.simulation.running import simulate

SEEDS_MAX = 16
FIRST = {"no court": 40, "bots are people": 52}
"""Where what a mistake needs is rare in the first seeds: two partitions under suspicion at once; a bot that goes on for
a day after its people."""


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_found_within_the_fixed_seeds(name: str) -> None:
    invariants, plant = PLANTED[name]
    first = FIRST.get(name, 1)
    for seed in range(first, first + SEEDS_MAX):
        with plant():
            violation = simulate(seed).violation
        if violation is not None:
            assert violation.startswith(invariants), f"seed {seed}"
            return
    pytest.fail(f"nobody noticed in {SEEDS_MAX} seeds")
