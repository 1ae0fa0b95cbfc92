"""What each process is told of keys and of the others."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bus.local import Home
from bus.local.server import ExternalServer
from capicua.server.environment import (
    choose_account_port,
    choose_gateway_port,
    process_environment,
)
from capicua.server.processes import ACCOUNT_KEY, ACCOUNT_PUBLIC_KEY, HOUSE_KEY, INNER_KEY, PROCESSES, SIGNING_KEY, Need

EVERY_KEY = {SIGNING_KEY, HOUSE_KEY, INNER_KEY, ACCOUNT_KEY, ACCOUNT_PUBLIC_KEY}


@pytest.fixture
def told(tmp_path: Path) -> dict[str, dict[str, str]]:
    """The environment of each process of a new installation, by name."""
    home = Home(tmp_path)
    choose_gateway_port(home)
    choose_account_port(home)
    servers = {need: ExternalServer(need.name, f"the address of {need.name}") for need in Need}
    return {process.name: process_environment(process, home, servers) for process in PROCESSES}


def test_gateways_check_what_the_account_service_alone_can_sign(told: dict[str, dict[str, str]]) -> None:
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(told["account"][ACCOUNT_KEY]))
    assert told["gateway"][ACCOUNT_PUBLIC_KEY] == private.public_key().public_bytes_raw().hex()
    assert {name for name, environment in told.items() if ACCOUNT_KEY in environment} == {"account"}


def test_the_inner_door_is_found_and_opened_by_gateways(told: dict[str, dict[str, str]]) -> None:
    port = told["account"]["CAPICUA_ACCOUNT_PORT"]
    assert told["gateway"]["CAPICUA_ACCOUNT_URL"] == f"http://127.0.0.1:{port}"
    assert told["gateway"][INNER_KEY] == told["account"][INNER_KEY]


def test_nobody_is_told_a_key_that_is_another_ones(
    told: dict[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for process in PROCESSES:
        assert told[process.name].keys() & EVERY_KEY == set(process.keys)
    for key in EVERY_KEY:
        monkeypatch.setenv(key, "of this shell")
    home = Home(tmp_path)
    (table,) = [process for process in PROCESSES if process.name == "table"]
    servers = {need: ExternalServer(need.name, "somewhere") for need in Need}
    assert not process_environment(table, home, servers).keys() & EVERY_KEY
