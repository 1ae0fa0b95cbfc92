from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from capicua.saved_guest import save_token, saved_token


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "capicua" / "guests.json"


def test_a_guest_is_kept_for_each_server_and_forgotten_alone(config: Path) -> None:
    save_token("http://one", "token 1")
    save_token("http://two", "token 2")
    assert (saved_token("http://one"), saved_token("http://two")) == ("token 1", "token 2")
    save_token("http://one", None)
    assert (saved_token("http://one"), saved_token("http://two")) == (None, "token 2")


def test_each_name_in_the_environment_is_a_guest_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    save_token("http://one", "mine")
    for name, token in {"ben": "ben's", "cid": "cid's"}.items():
        monkeypatch.setenv("CAPICUA_GUEST", name)
        assert saved_token("http://one") is None
        save_token("http://one", token)
    assert saved_token("http://one") == "cid's"
    monkeypatch.setenv("CAPICUA_GUEST", " ben ")
    assert saved_token("http://one") == "ben's"
    monkeypatch.setenv("CAPICUA_GUEST", "")
    assert saved_token("http://one") == "mine"


def test_guests_that_are_saved_at_once_are_all_kept() -> None:
    urls = [f"http://{number}" for number in range(40)]
    with ThreadPoolExecutor(8) as terminals:
        list(terminals.map(lambda url: save_token(url, url), urls))
    assert [saved_token(url) for url in urls] == urls


def test_only_the_user_may_read_it(config: Path) -> None:
    save_token("http://one", "token 1")
    assert config.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", ["", "[]", '{"http://one": 3}', "\x00"])
def test_a_damaged_file_is_no_guest(config: Path, content: str) -> None:
    config.parent.mkdir()
    config.write_text(content)
    assert saved_token("http://one") is None
    save_token("http://one", "token 1")
    assert saved_token("http://one") == "token 1"
