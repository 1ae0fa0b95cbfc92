"""The folder of one local installation."""

from pathlib import Path

import pytest

from bus.local import Home, LocalError


def test_the_home_is_in_the_current_folder_unless_the_environment_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CAPICUA_HOME", raising=False)
    assert Home.from_environment().root == tmp_path / ".capicua"
    monkeypatch.setenv("CAPICUA_HOME", "elsewhere")
    assert Home.from_environment().root == tmp_path / "elsewhere"


def test_only_one_process_holds_a_home(tmp_path: Path) -> None:
    first = Home(tmp_path).lock()
    assert first is not None
    assert Home(tmp_path).lock() is None
    first.close()
    again = Home(tmp_path).lock()
    assert again is not None
    again.close()


def test_a_full_disk_is_said_before_anything_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bus.local.home.FREE_BYTES_MIN", 2**60)
    with pytest.raises(LocalError, match=r"Only \d+ MiB are free under .*: free some space, or set CAPICUA_HOME"):
        Home(tmp_path).check_disk()


def test_a_home_that_cannot_be_written_is_said_with_the_variable_that_moves_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LocalError, match="set CAPICUA_HOME"):
        Home(tmp_path / "file").check_disk()


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    key = Home(tmp_path).key("signing")
    assert len(bytes.fromhex(key)) == 32
    assert (tmp_path / "keys" / "signing").stat().st_mode & 0o777 == 0o600
    assert Home(tmp_path).key("signing") == key
    assert Home(tmp_path).key("other") != key


def test_an_empty_key_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "signing").touch()
    assert len(bytes.fromhex(Home(tmp_path).key("signing"))) == 32


@pytest.mark.parametrize("text", ["[1]", "no json", '{"gateway": "x", "kafka": -5, "valkey": 99999}'])
def test_ports_that_cannot_be_are_chosen_again(text: str, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "ports.json").write_text(text)
    assert Home(tmp_path).ports() == {}
