"""The code is formatted, lint free and typed."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = [
    *ROOT.glob("libs/*/src"),
    *ROOT.glob("services/*/src"),
    *(ROOT / name for name in ("bench", "deploy", "tests", "web")),
]


@pytest.mark.parametrize(
    "command",
    [["ruff", "format", "--check"], ["ruff", "check"], ["mypy", *(str(path.relative_to(ROOT)) for path in SOURCES)]],
    ids=["format", "lint", "types"],
)
def test_the_tools_have_nothing_to_say(command: list[str]) -> None:
    program = Path(sys.executable).with_name(command[0])
    said = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
