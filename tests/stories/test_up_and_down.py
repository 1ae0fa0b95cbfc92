"""The whole product as one starts and stops it from a shell."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from capicua.server.processes import PROCESSES

CAPICUA = str(Path(sys.executable).with_name("capicua"))


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CAPICUA_")}
    return inherited | {"CAPICUA_HOME": str(tmp_path), "COLUMNS": "200"}


def capicua(command: str, environment: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run([CAPICUA, *command.split()], env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def recorded(home: Path) -> dict[str, psutil.Process]:
    """The processes that have a pid file, by name."""
    pids = {path.stem: re.search(r'"pid": (\d+)', path.read_text()) for path in (home / "run").glob("*.pid")}
    return {name: psutil.Process(int(found[1])) for name, found in pids.items() if found}


def test_it_comes_up_once_survives_its_supervisor_and_goes_down(tmp_path: Path, environment: dict[str, str]) -> None:
    code, said = capicua("up --detach", environment)
    assert code == 0, said
    assert re.search(r"ready in \d+\.\d s\n  API +http://127\.0\.0\.1:\d+ [^\0]*capicua play", said), said

    code, status = capicua("status", environment)
    for process in PROCESSES:
        assert re.search(rf"^ ?{process.name} +\d+ +ready +\d+", status, re.MULTILINE), status

    code, said = capicua("up", environment)
    assert (code, "already running" in said) == (1, True), said

    first = recorded(tmp_path)
    assert set(first) == {"capicua", "kafka", "valkey", "postgres", "mail", *(process.name for process in PROCESSES)}
    first.pop("capicua").kill()
    code, said = capicua("up --detach", environment)
    assert code == 0, said
    assert said.count("was left over") == len(first)
    assert not any(process.is_running() for process in first.values())

    second = recorded(tmp_path)
    assert capicua("down", environment) == (0, "Stopped.\n")
    assert not any(process.is_running() for process in second.values())
    code, said = capicua("status", environment)
    assert (code, "Nothing runs" in said) == (1, True), said


def test_an_interrupt_while_it_starts_leaves_nothing_running(tmp_path: Path, environment: dict[str, str]) -> None:
    starting = subprocess.Popen([CAPICUA, "up"], env=environment, stdout=subprocess.PIPE, text=True)
    assert starting.stdout is not None
    for line in starting.stdout:
        if "kafka" in line:
            break
    starting.send_signal(signal.SIGINT)
    said = starting.stdout.read()
    starting.stdout.close()
    assert starting.wait() == 130
    assert "everything that was started is stopped" in said
    assert recorded(tmp_path) == {}
