"""A check that cannot fail is none: each planted mistake must be found, and by the invariant that it breaks."""

import pytest
from tests.simulation.planted import PLANTED
from tests.simulation.running import simulate

SEEDS_MAX = 64
FIRST = {
    "claim kept": 322,
    "forgets by snapshot": 116,
    "bots are people": 61,
    "snapshot of hopes": 34,
    "deaf to jumps": 19,
    "no court": 32,
}
"""Where what a mistake needs is rare in the first seeds: an owner that takes itself over, or a bot that goes on for a
day after its people."""
SECONDS_MAX = 400
"""All seeds that are tried take half as long. One that is cut off fails in its own way, maybe as if it were found."""


@pytest.mark.timeout(SECONDS_MAX)
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_found_within_the_fixed_seeds(name: str) -> None:
    """In some seeds something that follows from the mistake is seen before the mistake itself."""
    invariants, plant = PLANTED[name]
    first, others = FIRST.get(name, 1), dict[int, str]()
    for seed in range(first, first + SEEDS_MAX):
        with plant():
            violation = simulate(seed).violation
        if violation is not None:
            if violation.startswith(invariants):
                return
            others[seed] = violation[:80]
    pytest.fail(f"nobody noticed it by {', '.join(invariants)} in {SEEDS_MAX} seeds, but {others}")
