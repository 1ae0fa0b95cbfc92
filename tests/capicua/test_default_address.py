import json
from pathlib import Path

import pytest

from capicua.default_address import default_address


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CAPICUA_URL", raising=False)
    monkeypatch.setenv("CAPICUA_HOME", str(tmp_path))
    (tmp_path / "run").mkdir()
    return tmp_path


def test_the_environment_goes_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "run" / "ports.json").write_text(json.dumps({"gateway": 8099}))
    monkeypatch.setenv("CAPICUA_URL", "https://play.example.org")
    assert default_address() == "https://play.example.org"


def test_then_the_stack_of_this_folder(home: Path) -> None:
    (home / "run" / "ports.json").write_text(json.dumps({"kafka": 1, "gateway": 8099}))
    assert default_address() == "http://127.0.0.1:8099"


@pytest.mark.parametrize("content", [None, "{", "{}", "[]", '{"gateway": "x"}'])
def test_then_the_usual_port(home: Path, content: str | None) -> None:
    if content is not None:
        (home / "run" / "ports.json").write_text(content)
    assert default_address() == "http://127.0.0.1:8080"
