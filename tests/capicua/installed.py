"""The library as people install it: built wheels in an environment of their own, with what they say they need.

The third parties are those of the environment that runs the tests, in the locked versions, so that no network is asked.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PUBLISHED = ("capicua", "domino_rules", "domino_bots", "contracts")
"""The folders of the libraries that `capicua` is made of."""
UV = str(Path(sys.executable).with_name("uv"))


class Installed:
    """An environment in `folder` that has the built wheels and what they need, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / "env" / "bin" / "python"
        self.command = folder / "env" / "bin" / "capicua"
        self._wheels = folder / "wheels"
        for library in PUBLISHED:
            self._uv("build", "--wheel", "--no-build-isolation", "--python", sys.executable,
                     "--out-dir", self._wheels, ROOT / "libs" / library)  # fmt: skip
        self._uv("venv", "--python", sys.executable, folder / "env")
        self._uv("pip", "install", "--python", self.python, "--no-deps", *self._wheels.glob("*.whl"))
        (self.packages,) = (folder / "env" / "lib").glob("python*/site-packages")
        self.third_parties = _needed(list(distributions(path=[str(self.packages)])))
        for needed in self.third_parties:
            _copy(needed, self.packages)

    def check(self) -> str:
        """What the installer finds missing; empty if nothing."""
        found = subprocess.run(
            [UV, "pip", "check", "--python", self.python], capture_output=True, text=True, check=False
        )
        return "" if found.returncode == 0 else found.stderr

    def _uv(self, *arguments: str | Path) -> None:
        subprocess.run([UV, "--offline", "--quiet", *arguments], check=True, cwd=self._wheels.parent)


def locked_versions() -> dict[str, str]:
    """By canonical name."""
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [line.split(" ", 1)[0].partition("==") for line in lines if "==" in line and line[0].isalnum()]
    return {canonicalize_name(name): version for name, _, version in pins}


def _needed(wheels: list[Distribution]) -> list[Distribution]:
    """Everything that these need, and what that needs, without any extra that nobody asks for."""
    found = {canonicalize_name(wheel.name): wheel for wheel in wheels}
    waiting = [need for wheel in wheels for need in _needs(wheel, frozenset())]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        need = waiting.pop()
        name, extras = canonicalize_name(need.name), frozenset(need.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        found.setdefault(name, distribution(name))
        waiting += _needs(found[name], extras)
    ours = {canonicalize_name(wheel.name) for wheel in wheels}
    return [needed for name, needed in found.items() if name not in ours]


def _needs(wheel: Distribution, extras: frozenset[str]) -> Iterator[Requirement]:
    for text in wheel.requires or ():
        need = Requirement(text)
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in (extras or {""})):
            yield need


def _copy(installed: Distribution, packages: Path) -> None:
    """Its commands are left out: nobody here calls them."""
    for file in installed.files or ():
        source = Path(str(installed.locate_file(file)))
        if ".." not in file.parts and source.is_file():
            target = packages / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
