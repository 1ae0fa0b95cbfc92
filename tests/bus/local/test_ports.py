"""Ports on 127.0.0.1, chosen and remembered."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from bus.local import Home, LocalError
from bus.local.ports import HOST, choose_port, is_free

VARIABLE = "CAPICUA_TEST_PORT"


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server((HOST, 0)) as listener:
        yield listener.getsockname()[1]


def test_the_remembered_port_comes_before_the_preferred(taken: int) -> None:
    assert choose_port(VARIABLE, remembered=21_999, preferred=22_000, avoid=()) == 21_999


def test_a_remembered_port_that_somebody_took_is_given_up(taken: int) -> None:
    assert choose_port(VARIABLE, remembered=taken, preferred=None, avoid=()) != taken


def test_the_next_free_port_after_a_taken_preferred_one_is_chosen(taken: int) -> None:
    chosen = choose_port(VARIABLE, remembered=None, preferred=taken, avoid=())
    assert taken < chosen < taken + 100
    assert is_free(chosen)


def test_a_port_of_ours_that_is_not_listened_to_yet_is_avoided() -> None:
    assert choose_port(VARIABLE, remembered=None, preferred=22_000, avoid={22_000}) != 22_000


def test_a_demanded_port_that_is_taken_is_said_with_its_holder_and_its_variable(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(taken))
    with pytest.raises(
        LocalError, match=rf"Port {taken} \({VARIABLE}\) is taken by \S+ \(pid \d+\): stop that, or set"
    ):
        choose_port(VARIABLE, remembered=None, preferred=None, avoid=())


@pytest.mark.parametrize("text", ["0", "65536", "-1", "http", "80.5"])
def test_a_demanded_port_that_is_none_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(LocalError, match=f"from 1 to 65535, got '{text}'"):
        choose_port(VARIABLE, remembered=None, preferred=None, avoid=())


def test_a_home_remembers_its_ports_and_gives_no_two_the_same(tmp_path: Path) -> None:
    home = Home(tmp_path)
    ports = {name: home.port(name, variable=VARIABLE, preferred=23_000) for name in ("one", "two", "three")}
    assert len(set(ports.values())) == 3
    assert Home(tmp_path).ports() == ports
    assert Home(tmp_path).port("two", variable=VARIABLE) == ports["two"]


def test_a_broken_list_of_ports_is_as_good_as_none(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.port("one", variable=VARIABLE)
    (tmp_path / "run" / "ports.json").write_text("{")
    assert home.ports() == {}
    assert is_free(home.port("one", variable=VARIABLE))
