"""Who may import whom."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from tests.architecture.source import (
    LIBS,
    PACKAGES,
    ROOT,
    SERVICES,
    Module,
    modules,
    of,
    packages_imported,
    reached,
)

KNOW_THE_GAME = {"table", "lobby", "tournament", "gateway", "archive", "bots"}
DISTRIBUTIONS = {
    "domino-rules": "domino_rules",
    "domino-bots": "domino_bots",
    "capicua": "capicua",
    **{f"capicua-{name}": name for name in PACKAGES if name not in ("domino_rules", "domino_bots", "capicua")},
}


def foreign(module: Module) -> set[str]:
    """What a module imports that is neither ours nor Python's own."""
    return packages_imported(module) - set(PACKAGES) - sys.stdlib_module_names


def declared(package: str) -> set[str]:
    """The packages of ours that a package's pyproject.toml names, extras included."""
    folder = ROOT / ("libs" if package in LIBS else "services") / package
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    lines = [
        *project["dependencies"],
        *(line for lines in project.get("optional-dependencies", {}).values() for line in lines),
    ]
    names = {re.split(r"[\[<>=;! ]", line)[0] for line in lines}
    return {DISTRIBUTIONS[name] for name in names & DISTRIBUTIONS.keys()}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_never_imports_another_service(service: str) -> None:
    for module in of(service):
        assert packages_imported(module) & set(SERVICES) <= {service}, module.name


def test_the_rules_import_pythons_own_library_only() -> None:
    for module in of("domino_rules"):
        assert packages_imported(module) - sys.stdlib_module_names <= {"domino_rules"}, module.name


def test_contracts_import_pydantic_and_pythons_own_library_only() -> None:
    for module in of("contracts"):
        assert packages_imported(module) - sys.stdlib_module_names <= {"contracts", "pydantic"}, module.name


def test_the_bus_knows_contracts_and_nothing_else_of_ours() -> None:
    for module in of("bus"):
        assert packages_imported(module) & set(PACKAGES) <= {"bus", "contracts"}, module.name


@pytest.mark.parametrize("package", sorted({"contracts", "bus", *SERVICES} - KNOW_THE_GAME))
def test_who_needs_no_dominoes_cannot_reach_the_rules_by_any_way(package: str) -> None:
    found = reached(package)
    assert [f"{found[name]} imports {name}" for name in found if name.split(".")[0] == "domino_rules"] == []


def test_the_clients_library_imports_neither_the_bus_nor_a_service() -> None:
    for module in of("capicua"):
        if not f"{module.name}.".startswith("capicua.server."):
            assert packages_imported(module) & {"bus", *SERVICES} == set(), module.name


def test_only_the_command_itself_reaches_into_the_server_part() -> None:
    for module in of("capicua"):
        reaches = any(f"{name}.".startswith("capicua.server.") for name in module.imports)
        assert not reaches or module.name == "capicua.cli" or f"{module.name}.".startswith("capicua.server."), (
            module.name
        )


def test_only_bots_use_the_clients_library_among_services() -> None:
    users = {module.package for module in modules().values() if "capicua" in packages_imported(module)}
    assert users <= {"capicua", "bots"}


@pytest.mark.parametrize("package", PACKAGES)
def test_what_a_package_imports_of_ours_is_what_it_declares(package: str) -> None:
    used = {name for module in of(package) for name in packages_imported(module) & set(PACKAGES)} - {package}
    assert used <= declared(package), f"{package}: pyproject.toml lacks {sorted(used - declared(package))}"


@pytest.mark.parametrize("package", PACKAGES)
def test_what_a_package_imports_from_elsewhere_is_what_it_or_the_bus_declares(package: str) -> None:
    text = "".join(
        (ROOT / ("libs" if name in LIBS else "services") / name / "pyproject.toml").read_text()
        for name in {package, *declared(package)}
    ).lower()
    names = {
        "jwt": "pyjwt",
        "rpds": "rpds-py",
        "ulid": "python-ulid",
        "starlette": "fastapi",
        "docker": "testcontainers",
    }
    for module in of(package):
        for name in foreign(module):
            distribution = names.get(name, name).replace("_", "-")
            assert distribution in text, f"{module.name} imports {name}, which no pyproject.toml of its own names"


def test_imports_stand_where_they_are_looked_for() -> None:
    assert {path.parent.name for path in ROOT.glob("libs/*/pyproject.toml")} == set(LIBS)
    assert all(Path(ROOT / "services" / name / "pyproject.toml").is_file() for name in SERVICES)
