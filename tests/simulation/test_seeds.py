"""Whole runs under attack: the same few seeds every time, and some that nobody has tried before."""

import secrets
import time

import pytest
from tests.simulation.report import Total, failure
from tests.simulation.result import Result
from tests.simulation.running import simulate

FIXED = range(1, 5)
FRESH_SECONDS = 10.0


def run(seed: int) -> Result:
    result = simulate(seed)
    if result.violation is not None:
        pytest.fail(failure(result))
    return result


@pytest.mark.parametrize("seed", FIXED)
def test_a_seed_that_is_always_tried_breaks_nothing(seed: int) -> None:
    result = run(seed)
    assert result.outcomes > 200
    assert result.injected.total() > 20


def test_seeds_that_nobody_has_tried_break_nothing_either(capsys: pytest.CaptureFixture[str]) -> None:
    first = secrets.randbelow(10**9) + 1000
    total, until = Total(), time.monotonic() + FRESH_SECONDS
    while time.monotonic() < until:
        total.add(run(first + total.seeds))
    with capsys.disabled():
        print(f"\nseeds {first}-{first + total.seeds - 1}: {total.text(points=False)}")  # noqa: T201
