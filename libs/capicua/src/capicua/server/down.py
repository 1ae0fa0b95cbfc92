"""``capicua down``: stop what ``capicua up`` started, from another terminal."""

import asyncio

import psutil
import typer

from bus.local import Home, LocalError
from bus.local.process import recorded_pid, stop_left_over
from capicua.server.stack import SUPERVISOR

STOP_SECONDS_MAX = 60.0


def down() -> None:
    """Stop Capicua on this machine; its data is kept."""
    home = Home.from_environment()
    pid = recorded_pid(SUPERVISOR, home)
    try:
        if pid is not None:
            _stop_supervisor(pid)
            typer.echo("Stopped.")
        elif stopped := asyncio.run(_stop_left_overs(home)):
            typer.echo(f"Stopped what an earlier run had left: {', '.join(stopped)}.")
        else:
            typer.echo(f"Nothing runs in {home.root}.")
    except LocalError as error:
        typer.echo(f"capicua: {error}", err=True)
        raise typer.Exit(1) from error


def _stop_supervisor(pid: int) -> None:
    process = psutil.Process(pid)
    process.terminate()
    try:
        process.wait(STOP_SECONDS_MAX)
    except psutil.TimeoutExpired as error:
        raise LocalError(
            f"Process {pid} has not ended within {STOP_SECONDS_MAX:.0f} s: end it with 'kill -9 {pid}', then run "
            "'capicua down' again for what it leaves."
        ) from error


async def _stop_left_overs(home: Home) -> list[str]:
    return [name for name in home.recorded() if await stop_left_over(name, home)]
