"""What is done nowhere, or only in one place, and why."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.architecture.source import ROOT, Module, called, modules, of, packages_imported

# A decision is a function of the log: with a clock, chance or a line of log inside it a second fold could differ.
IMPURE = {
    "time",
    "datetime",
    "random",
    "secrets",
    "os",
    "uuid",
    "socket",
    "logging",
    "asyncio",
    "threading",
    "ulid.ulid",
}
SCENARIO_RUNNER = {"domino_rules.__main__", "domino_rules.runner", "domino_rules.scenario"}
SECONDS_BETWEEN_LOOKS_MAX = 0.05


def pure_modules() -> list[Module]:
    deciders = [module for module in modules().values() if module.name.endswith(".decider")]
    services = [module for module in deciders if module.package != "bus"]
    return [module for module in of("domino_rules") if module.name not in SCENARIO_RUNNER] + services


@pytest.mark.parametrize("module", pure_modules(), ids=lambda module: module.name)
def test_rules_and_deciders_have_no_clock_no_chance_and_no_way_out(module: Module) -> None:
    assert packages_imported(module) & IMPURE == set()
    assert [name for name in calls(module.tree) if name in ("print", "open", "input")] == []


def calls(tree: ast.AST) -> Iterator[str]:
    return (called(node) for node in ast.walk(tree) if isinstance(node, ast.Call))


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("*.py")), ids=lambda path: path.stem)
def test_a_test_never_sleeps_and_hopes(path: Path) -> None:
    """A short pause inside a loop looks again; any other pause hopes that something has happened meanwhile."""
    tree = ast.parse(path.read_text())
    looking = {
        id(inner) for loop in ast.walk(tree) if isinstance(loop, ast.While | ast.For) for inner in ast.walk(loop)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in ("asyncio.sleep", "time.sleep", "sleep"):
            (length,) = node.args
            assert isinstance(length, ast.Constant), f"line {node.lineno}: how long?"
            short = isinstance(length.value, int | float) and length.value <= SECONDS_BETWEEN_LOOKS_MAX
            assert length.value == 0 or (short and id(node) in looking), f"line {node.lineno} hopes"
