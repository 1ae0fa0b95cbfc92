"""The previous release beside this one, as git has it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
CANDIDATES = ("main^1", "origin/main^1", "HEAD^1")
"""What was there before the newest that has landed, or else what was committed before the newest."""


def previous_revision() -> str | None:
    """The commit of the previous release (`CAPICUA_PREVIOUS` chooses another), None where git knows only one."""
    chosen = os.environ.get("CAPICUA_PREVIOUS")
    for candidate in (chosen,) if chosen else CANDIDATES:
        found = _git("rev-parse", "--verify", "--quiet", f"{candidate}^{{commit}}")
        if found.returncode == 0:
            return found.stdout.strip()
    return None


@contextmanager
def checked_out(revision: str, folder: Path) -> Iterator[Path]:
    """The files of `revision` in `folder`, which git forgets again at the end."""
    done = _git("worktree", "add", "--detach", str(folder), revision)
    if done.returncode != 0:
        raise RuntimeError(f"git could not check out {revision}: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        _git("worktree", "remove", "--force", str(folder))


def python_path(root: Path) -> str:
    """Where a Python process of the release in `root` finds its packages, before all that is installed."""
    folders = [*sorted(root.glob("libs/*/src")), *sorted(root.glob("services/*/src")), root]
    return os.pathsep.join(map(str, folders))


def _git(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
