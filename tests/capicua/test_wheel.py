"""The wheels stand alone: without the extra `server`, in an environment that has what they ask for and no more."""

import os
import subprocess
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name
from tests.capicua.installed import Installed, locked_versions

EVERY_MODULE = """
import importlib, pkgutil, sys
import capicua, contracts, domino_bots, domino_rules
for package in (capicua, contracts, domino_bots, domino_rules):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.startswith("capicua.server"):
            importlib.import_module(module.name)
            print(module.name)
assert "bus" not in sys.modules
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"))


def run(*arguments: str | Path, **environment: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error, of a program that finds nothing of this checkout."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CAPICUA", "PYTHON"))}
    done = subprocess.run(
        arguments, env={**clean, "COLUMNS": "80", **environment}, cwd="/", capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_what_the_wheels_ask_for_is_enough_and_stands_in_the_lock(installed: Installed) -> None:
    assert installed.check() == ""
    locked = locked_versions()
    assert {canonicalize_name(one.name): one.version for one in installed.third_parties}.items() <= locked.items()


def test_nothing_of_the_server_is_asked_for(installed: Installed) -> None:
    names = {canonicalize_name(one.name) for one in distributions(path=[str(installed.packages)])}
    assert {"capicua", "capicua-contracts", "domino-rules", "domino-bots", "httpx", "websockets"} <= names
    assert not {name for name in names if name.startswith("capicua-")} - {"capicua-contracts"}
    assert not names & {"aiokafka", "fastapi", "redis", "psycopg", "aiosmtplib", "cryptography"}


def test_every_module_can_be_imported(installed: Installed) -> None:
    status, out, err = run(installed.python, "-W", "error", "-c", EVERY_MODULE)
    assert (status, err) == (0, "")
    assert {"capicua.client", "capicua.commands.play", "contracts.account_api"} <= set(out.split())


def test_type_checkers_are_told_that_it_is_typed(installed: Installed) -> None:
    for package in ("capicua", "contracts", "domino_bots", "domino_rules"):
        assert (installed.packages / package / "py.typed").is_file()


def test_the_command_explains_itself_and_names_nothing_that_is_not_there(installed: Installed) -> None:
    status, out, err = run(installed.command, "--help")
    assert (status, err) == (0, "")
    assert "For players" in out
    assert "Your account" in out
    assert "capicua up" not in out
    assert max(map(len, out.splitlines())) <= 80
    status, out, err = run(installed.command, "play", "--help")
    assert (status, err, "--preset" in out) == (0, "", True)


def test_where_nobody_answers_it_says_what_to_do(installed: Installed, tmp_path: Path) -> None:
    status, out, err = run(installed.command, "rooms", CAPICUA_URL="http://127.0.0.1:9", XDG_CONFIG_HOME=str(tmp_path))
    assert (status, out) == (1, "")
    assert err.endswith("Is it running? --url or CAPICUA_URL says where.\n")
    assert len(err.splitlines()) == 1
