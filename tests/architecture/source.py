"""The code as its own tests read it: which module imports which."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBS = ("domino_rules", "domino_bots", "contracts", "bus", "capicua")
SERVICES = tuple(sorted(folder.name for folder in (ROOT / "services").iterdir() if (folder / "src").is_dir()))
PACKAGES = LIBS + SERVICES


@dataclass(frozen=True)
class Module:
    """One file of ours: its dotted name, its tree, and the modules that it imports by their full names."""

    name: str
    path: Path
    tree: ast.Module
    imports: frozenset[str]

    @property
    def package(self) -> str:
        return self.name.split(".")[0]


def source_folder(package: str) -> Path:
    kind = "libs" if package in LIBS else "services"
    return ROOT / kind / package / "src" / package


@cache
def modules() -> dict[str, Module]:
    """Every module of libs and services, by name."""
    found = (read(path, package) for package in PACKAGES for path in sorted(source_folder(package).rglob("*.py")))
    return {module.name: module for module in found}


def of(package: str) -> list[Module]:
    return [module for module in modules().values() if module.package == package]


def read(path: Path, package: str) -> Module:
    parts = path.relative_to(source_folder(package).parent).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    tree = ast.parse(path.read_text(), str(path))
    return Module(name, path, tree, frozenset(imported(tree)))


def imported(tree: ast.Module) -> Iterator[str]:
    """Modules that are imported anywhere in the file; ``from a import b`` gives both ``a`` and ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def packages_imported(module: Module) -> set[str]:
    return {name.split(".")[0] for name in module.imports}


def reached(package: str) -> dict[str, str]:
    """All modules that importing every module of a package brings in, ours and others', each with who imports it."""
    found = {module.name: package for module in of(package)}
    waiting = list(found)
    while waiting:
        name = waiting.pop()
        if (module := modules().get(name)) is None:
            continue
        ancestors = {name.rsplit(".", count)[0] for count in range(1, name.count(".") + 1)}
        for target in (module.imports | ancestors) - found.keys():
            found[target] = name
            waiting.append(target)
    return found


def called(node: ast.Call) -> str:
    """The dotted name of what is called; empty when it is no plain name."""
    parts: list[str] = []
    what: ast.expr = node.func
    while isinstance(what, ast.Attribute):
        parts.append(what.attr)
        what = what.value
    return ".".join([what.id, *reversed(parts)]) if isinstance(what, ast.Name) else ""
