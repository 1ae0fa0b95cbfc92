"""Builds the browser client into `web/dist`, which the gateway serves.

`python -m web.build` does so when a source is newer than the last build. The new one is swapped in whole, and one is
made at a time: a gateway that runs meanwhile serves the one or the other.
"""

import fcntl
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError

from web.node import WEB, node

DIST = WEB / "dist"
NEXT = WEB / "dist-next"
PREVIOUS = WEB / "dist-previous"
LOCK = WEB / "node_modules/.building"
SOURCES = ("src", "public", "bundling", "boot.js", "budget.json", "index.html", "package-lock.json", "vite.config.ts")


def built() -> Path:
    """The folder with the client as its sources are now. Raises `CalledProcessError` when they cannot be built, or are
    over the budget."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_up_to_date():
            _build()
    return DIST


def is_up_to_date() -> bool:
    page = DIST / "index.html"
    return page.exists() and max(path.stat().st_mtime_ns for path in _sources()) < page.stat().st_mtime_ns


def _sources() -> Iterator[Path]:
    """Folders too: they change when a file of theirs goes."""
    for name in SOURCES:
        yield WEB / name
        yield from (WEB / name).rglob("*")


def _build() -> None:
    said = node("node_modules/vite/bin/vite.js", "build", "--outDir", NEXT.name, "--emptyOutDir")
    sys.stdout.write(said)
    shutil.rmtree(PREVIOUS, ignore_errors=True)
    if DIST.exists():
        DIST.rename(PREVIOUS)
    NEXT.rename(DIST)
    shutil.rmtree(PREVIOUS, ignore_errors=True)


if __name__ == "__main__":
    try:
        built()
    except CalledProcessError:
        sys.exit("the client could not be built, see above")
