"""A check that cannot fail is none: each planted mistake must be found, and by the invariant that it breaks."""

import pytest
from tests.simulation.planted import PLANTED
from tests.simulation.running import simulate

SEEDS_MAX = 16


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_found_within_the_fixed_seeds(name: str) -> None:
    invariants, plant = PLANTED[name]
    for seed in range(1, SEEDS_MAX + 1):
        with plant():
            violation = simulate(seed).violation
        if violation is not None:
            assert violation.startswith(invariants), f"seed {seed}"
            return
    pytest.fail(f"nobody noticed in {SEEDS_MAX} seeds")
