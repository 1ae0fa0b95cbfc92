import sys
from pathlib import Path

import pytest

from capicua.commands.typed import NAME, typed


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / NAME
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program), "play"])
    monkeypatch.chdir(tmp_path)
    return program


def test_a_program_that_the_shell_finds_is_called_by_its_name(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(program.parent))
    assert typed() == "capicua"


def test_one_that_the_shell_does_not_find_is_called_by_its_shortest_path(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert typed() == "bin/capicua"


def test_one_that_runs_as_a_module_is_called_as_it_is_installed(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", ["cli.py"])
    monkeypatch.setattr(sys, "executable", str(program.with_name("python")))
    assert typed() == "bin/capicua"
