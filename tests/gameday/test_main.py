"""A game day as a command."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "bench.gameday"]


@pytest.mark.parametrize("kills", ["0", "-1", "many"])
def test_fewer_than_one_kill_is_refused(kills: str) -> None:
    done = subprocess.run([*COMMAND, "--kills", kills], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"expected a number of kills from 1 on, got {kills}\n")


def test_an_interrupt_ends_it_with_one_line_and_leaves_no_folder(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "--only", "timer_killed"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert any(line == "3 brokers are up\n" for line in running.stdout)
        assert list(tmp_path.glob("capicua-gameday-*"))
        running.send_signal(signal.SIGINT)
        _, said = running.communicate()
    assert (running.returncode, said) == (130, "\nInterrupted: nothing is known about what was lost.\n")
    assert not list(tmp_path.glob("capicua-gameday-*"))
