"""The simulation as a command."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "tests.simulation"]


@pytest.mark.parametrize(
    ("arguments", "got"),
    [
        (["x"], "x"),
        (["5-1"], "5-1"),
        (["-3"], "-3"),
        (["1-2-3"], "1-2-3"),
        ([], "none"),
        (["1-"], "1-"),
        (["1", "2"], "1 2"),
        (["0"], "0"),
    ],
)
def test_what_is_no_range_of_seeds_is_told_in_a_sentence(arguments: list[str], got: str) -> None:
    done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"error: expected seeds from 1 on, as 7 or 1-200, got {got}\n")
    assert "Traceback" not in done.stderr


def test_a_good_run_says_so_at_its_end() -> None:
    done = subprocess.run([*COMMAND, "1"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("seeds 1 to 1\n")
    assert done.stdout.endswith("\nNothing was violated.\n")


def test_an_interrupt_ends_it_with_one_line() -> None:
    command = [*COMMAND, "1-1000000"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "seeds 1 to 1000000\n"
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: whoever works for it is told too
        _, said = running.communicate()
    assert (running.returncode, said) == (130, "\nInterrupted.\n")
