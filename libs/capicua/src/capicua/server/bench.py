"""``capicua bench``: the measurements of a checkout."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

CHECKOUT = Path(__file__).parents[5]


Parts = Annotated[
    list[str] | None, typer.Argument(help="commands, log, pace, timer, latency, rules, start; all without.")
]


def bench(parts: Parts = None) -> None:
    """Measure every figure that the README states; needs a checkout of the source."""
    if not (CHECKOUT / "bench" / "__main__.py").exists():
        typer.echo("The measurements are not installed: run 'capicua bench' from a checkout of Capicua's source.")
        raise typer.Exit(1)
    raise typer.Exit(subprocess.run([sys.executable, "-m", "bench", *(parts or [])], cwd=CHECKOUT).returncode)
