"""One seed is one history, wherever and whenever it is run."""

import os
import subprocess
import sys
from pathlib import Path

from tests.simulation.running import simulate

ROOT = Path(__file__).parents[2]
SEED = 12
CODE = f"from tests.simulation.running import simulate; print(simulate({SEED}).digest)"


def digest_of_another_process(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, env=environment, capture_output=True, check=True)
    return done.stdout.decode().strip()


def test_a_seed_has_the_same_history_in_every_process_and_another_seed_has_another() -> None:
    assert digest_of_another_process("1") == digest_of_another_process("2") != simulate(SEED + 1).digest
