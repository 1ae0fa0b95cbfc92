"""How long `make up` takes until it says that it is ready: on a fresh clone with an empty home folder, and again."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
WARM_RUNS = 3


def measure() -> dict[str, float]:
    """Seconds; cold fetches every package and jar from the registries, so it depends on the network as well."""
    with tempfile.TemporaryDirectory() as folder:
        clone, home = Path(folder, "clone"), Path(folder, "home")
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        cold = _up(clone, home)
        warm = sorted(_up(clone, home) for _ in range(WARM_RUNS))
        return {"make up cold, s": cold, "make up warm, s": warm[WARM_RUNS // 2]}


def _up(clone: Path, home: Path) -> float:
    environment = {**os.environ, "HOME": str(home), "CAPICUA_HOME": str(clone / ".capicua")}
    for name in ("XDG_CACHE_HOME", "UV_CACHE_DIR", "VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL"):
        environment.pop(name, None)
    began = time.monotonic()
    process = subprocess.Popen(
        ["make", "up"], cwd=clone, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        for line in process.stdout:
            said.append(line)
            if "capicua play" in line:
                return time.monotonic() - began
        raise SystemExit("make up ended before it was ready:\n" + "".join(said[-20:]))
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.communicate()


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name}: {value:,.2f}")
