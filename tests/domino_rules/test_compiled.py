"""The compiled rules pass the same tests: all others of this folder, in a process that imports the compiled modules."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from deploy.compiled import build, lacking

ROOT = Path(__file__).parents[2]
WHY_NOT = lacking()


@pytest.mark.skipif(WHY_NOT is not None, reason=f"the rules cannot be compiled here: {WHY_NOT}")
@pytest.mark.timeout(400)
def test_the_compiled_rules_pass_every_test_of_the_rules(tmp_path: Path) -> None:
    build(tmp_path)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "tests/domino_rules",
        f"--ignore={__file__}",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    environment = {"CAPICUA_MATCHES": "100", **os.environ, "PYTHONPATH": str(tmp_path)}
    which = "import domino_rules.match as match; print(match.__file__)"
    imported = subprocess.run([sys.executable, "-c", which], env=environment, capture_output=True, text=True)
    assert imported.stdout.startswith(str(tmp_path))
    assert imported.stdout.strip().endswith(".so")
    tested = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert tested.returncode == 0, tested.stdout[-10_000:]
