"""The rules library against its peers: rounds of measuring in turn, medians, and their ratios.

Peers are the PyPI package `dominoes` and the two domino games of OpenSpiel that are written in Python. They are
installed beside the checkout, into `.venv/peers`, at the versions of `bench/peers.lock`.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from deploy.compiled import build, lacking

from bench.playouts import FIGURES

ROOT = Path(__file__).parents[1]
PEERS = ROOT / ".venv/peers"
LOCK = ROOT / "bench/peers.lock"
ROUNDS = 5
OURS = tuple(name for name in FIGURES if name.startswith(("moves", "fold", "memory")))
THEIRS = ("dominoes", "python_block_dominoes", "python_team_dominoes")
SAME_GAME = {
    "dominoes": "moves block-4",
    "python_block_dominoes": "moves block-2",
    "python_team_dominoes": "moves block-pairs",
}


def measure() -> dict[str, float]:
    """Figures by name: per second, bytes, or ratios to a peer that played the same game in the same run."""
    install_peers()
    with tempfile.TemporaryDirectory() as folder:
        builds = {"interpreted": ""}
        if why := lacking():
            print(f"  not compiled: {why}", file=sys.stderr)
        else:
            build(Path(folder))
            builds["compiled"] = folder
        return _medians(builds)


def install_peers() -> None:
    """The peers, with the hashes of the lock; nothing when they are there."""
    stamp = PEERS / ".installed"
    if stamp.exists() and stamp.stat().st_mtime >= LOCK.stat().st_mtime:
        return
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "pip", "install", "--quiet", "--target", PEERS, "--require-hashes", "-r", LOCK], check=True)
    stamp.touch()


def _medians(builds: dict[str, str]) -> dict[str, float]:
    seen: dict[str, list[float]] = {}
    for number in range(ROUNDS):
        print(f"  round {number + 1} of {ROUNDS}", file=sys.stderr)
        for peer in THEIRS:
            seen.setdefault(peer, []).append(_measured(peer, str(PEERS)))
        for name in OURS:
            for built, path in builds.items():
                seen.setdefault(f"{name} {built}", []).append(_measured(name, path))
    figures = {name: median(values) for name, values in seen.items()}
    for peer, ours in SAME_GAME.items():
        for built in builds:
            figures[f"{ours} {built} : {peer}"] = figures[f"{ours} {built}"] / figures[peer]
    return figures


def _measured(name: str, path: str) -> float:
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-m", "bench.playouts", name]
    return float(subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout)
