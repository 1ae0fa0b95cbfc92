import json
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[3]
WORK = ROOT / "build" / "mutation"
PAGE = ROOT / "docs" / "MUTATION.md"
PACKAGES = ("mutmut==3.8.1", f"pytest=={version('pytest')}", f"hypothesis=={version('hypothesis')}")
MODULES = ("layout", "scoring", "opening", "judgement", "legal", "state", "match")
TESTS = ("layout", "scoring", "opening", "judgement", "legal", "autopilot", "runner", "match", "events", "vectors")
"""Those that need no process and no server."""
KILLED = {1, 3, 24, -24, 36, 152, 255}
"""How a worker exits when a test failed or ran into a limit of time."""
KILLED_PERCENT_MIN = 90

MEMORY_BYTES_MAX = 2 * 1024**3
"""A mistake that goes on for ever collects events for ever."""

SETUP = """\
[mutmut]
source_paths = src
timeout_multiplier = 4
timeout_constant = 4
also_copy =
    libs
    pytest.ini
only_mutate =
    {modules}
pytest_add_cli_args_test_selection =
    {tests}
"""
PYTEST = """\
[pytest]
addopts = --import-mode=importlib -p no:cacheprovider
pythonpath = .
markers = servers
"""

Change = tuple[str, str, str]
"""A function, a line of it, and what the mistake made of that line."""


def main() -> int:
    set_up()
    run_mutmut("run", "--max-children", "1")
    codes = {name: code for file in WORK.rglob("*.py.meta") for name, code in read_codes(file)}
    living = {change_of(run_mutmut("show", name, capture=True)) for name, code in codes.items() if code not in KILLED}
    shown = set(changes_on(PAGE.read_text()))
    for heading, changes in (
        ("Lives and is not on the page", living - shown),
        ("On the page and dead", shown - living),
    ):
        for function, before, after in sorted(changes):
            sys.stdout.write(f"\n{heading}: {function}\n- `{before}` becomes `{after}`\n")
    killed = len(codes) - len(living)
    percent = 100 * killed / len(codes)
    sys.stdout.write(f"\n{killed} of {len(codes)} mistakes are found, {percent:.1f} %; the page shows {len(shown)}\n")
    return 0 if percent >= KILLED_PERCENT_MIN and living == shown else 1


def set_up() -> None:
    """A copy laid out as mutmut wants it: the sources in src, the tests beside them."""
    shutil.rmtree(WORK, ignore_errors=True)
    ignore = shutil.ignore_patterns("__pycache__")
    rules = ROOT / "libs" / "domino_rules"
    shutil.copytree(rules / "src", WORK / "src", ignore=ignore)
    shutil.copytree(rules / "vectors", WORK / "libs" / "domino_rules" / "vectors")
    shutil.copytree(ROOT / "tests" / "domino_rules", WORK / "tests" / "domino_rules", ignore=ignore)
    modules = [f"src/domino_rules/{module}.py" for module in MODULES]
    tests = [f"tests/domino_rules/test_{test}.py" for test in TESTS]
    (WORK / "setup.cfg").write_text(SETUP.format(modules="\n    ".join(modules), tests="\n    ".join(tests)))
    (WORK / "pytest.ini").write_text(PYTEST)


def run_mutmut(*arguments: str, capture: bool = False) -> str:
    """Runs it in an environment of its own, which uv keeps in its cache."""
    uv = str(Path(sys.executable).with_name("uv"))
    packages = [part for package in PACKAGES for part in ("--with", package)]
    command = [uv, "run", "--quiet", "--no-project", "--isolated", "--python", sys.executable, *packages, "mutmut"]
    output = subprocess.PIPE if capture else None
    done = subprocess.run([*command, *arguments], cwd=WORK, text=True, stdout=output, preexec_fn=limit_memory)
    if done.returncode:
        raise SystemExit(f"mutmut {' '.join(arguments)} ended with {done.returncode}")
    return done.stdout or ""


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))


def read_codes(file: Path) -> Iterator[tuple[str, int | None]]:
    codes: dict[str, int | None] = json.loads(file.read_text())["exit_code_by_key"]
    yield from codes.items()


def change_of(shown: str) -> Change:
    """What `mutmut show` shows, a heading and a diff."""
    lines = shown.splitlines()
    name = re.sub(r"^# |__mutmut_\d+: .*$", "", lines[0]).replace(".x_", ".").replace("ǁ", ".")
    taken = [line[1:].strip() for line in lines if line.startswith("-") and not line.startswith("---")]
    put = [line[1:].strip() for line in lines if line.startswith("+") and not line.startswith("+++")]
    return name, " ".join(taken), " ".join(put)


def changes_on(page: str) -> Iterator[Change]:
    function = ""
    for line in page.splitlines():
        if heading := re.fullmatch(r"## `(.+)`", line):
            function = heading[1]
        elif change := re.match(r"- `(.+?)` becomes `(.*?)`", line):
            yield function, change[1], change[2]


if __name__ == "__main__":
    sys.exit(main())
