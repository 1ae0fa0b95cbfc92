"""How much is tried: a little in every run of all tests, and as much as `make fuzz` says."""

import os
import sys
import time
from collections.abc import Callable

import pytest

SECONDS = float(os.environ.get("CAPICUA_FUZZ_SECONDS", "4"))
CASES = int(os.environ.get("CAPICUA_FUZZ_CASES", "100"))
"""Of each kind of trying, at least."""
SEED = int(os.environ.get("CAPICUA_FUZZ_SEED", "1"))
LONG = SECONDS > 60
long_enough = pytest.mark.timeout(SECONDS * 4 + 300)
beside_servers = pytest.mark.filterwarnings("ignore:Do not use the .random. module inside strategies")
"""Of what tries in a thread of its own: what the servers beside it draw by chance is not drawn by its strategies."""


def in_rounds(what: str, attempt: Callable[[int], int]) -> None:
    """Calls `attempt` with one seed after the other until enough time has gone by and enough cases have been tried;
    it says how many cases it tried."""
    began, cases, seed = time.monotonic(), 0, SEED
    while cases < CASES or time.monotonic() - began < SECONDS:
        cases += attempt(seed)
        seed += 1
    told = f"{what}: {cases} cases in {time.monotonic() - began:.0f} s, seeds {SEED} to {seed - 1}"
    sys.stderr.write(told + "\n")
