"""``capicua up``: start everything, keep it running, stop it cleanly."""

import asyncio
import contextlib
import logging
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine
from typing import Annotated

import typer

from bus.local import Home, LocalError
from capicua.commands.options import INTERRUPTED
from capicua.commands.typed import typed
from capicua.server.environment import gateway_url
from capicua.server.keeper import keep_running
from capicua.server.stack import SUPERVISOR, Stack

DETACHED_START_SECONDS_MAX = 180.0
LOOK_SECONDS = 0.1


def up(
    detach: Annotated[bool, typer.Option("--detach", help="Return once it is ready, and leave it running.")] = False,
) -> None:
    """Start Capicua on this machine, servers and all; Ctrl-C stops it and keeps its data."""
    logging.basicConfig(level=logging.WARNING, format="  %(message)s")
    logging.getLogger("bus.local").setLevel(logging.INFO)
    home = Home.from_environment()
    try:
        code = _detach(home) if detach else asyncio.run(_run(home))
    except LocalError as error:
        typer.echo(f"capicua: {error}", err=True)
        code = 1
    raise typer.Exit(code)


async def _run(home: Home) -> int:
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    began = time.monotonic()
    stack = Stack(home, report=lambda line: typer.echo(f"  {line}"))
    typer.echo(f"Starting Capicua in {home.root}")
    if not await _unless(stopping, stack.start()):
        typer.echo("Interrupted; everything that was started is stopped.")
        return INTERRUPTED
    typer.echo(_welcome(home, time.monotonic() - began))
    home.ready_file.touch()
    try:
        await _unless(stopping, keep_running(stack))
        await stopping.wait()
    finally:
        home.ready_file.unlink(missing_ok=True)
        typer.echo("Stopping …")
        await stack.stop()
    typer.echo(f"Stopped; everything is kept in {home.root}")
    return 0


async def _unless(stopping: asyncio.Event, work: Coroutine[None, None, None]) -> bool:
    """Do the work, or give it up when ``stopping`` is set; whether it was done."""
    task = asyncio.ensure_future(work)
    stop = asyncio.ensure_future(stopping.wait())
    await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
    stop.cancel()
    done = task.done()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return done


def _welcome(home: Home, took_seconds: float) -> str:
    url = gateway_url(home)
    return "\n".join(
        [
            f"Capicua is ready in {took_seconds:.1f} s",
            f"  play       {url}   (in a browser; the API's description: {url}/v1/docs)",
            f"  logs       {home.root / 'logs'}",
            "Or in a second terminal:",
            f"  {typed()} play",
            "Ctrl-C stops it and keeps everything." if sys.stdout.isatty() else f"'{typed()} down' stops it.",
        ]
    )


def _detach(home: Home) -> int:
    """Run ``capicua up`` in the background, show what it says until it is ready; its exit code if it ends first."""
    home.ready_file.unlink(missing_ok=True)
    log_file = home.log_file(SUPERVISOR)
    with log_file.open("wb") as log:
        argv = [sys.executable, "-m", "capicua.cli", "up"]
        child = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    give_up_at = time.monotonic() + DETACHED_START_SECONDS_MAX
    with log_file.open() as said:
        while child.poll() is None and not home.ready_file.exists() and time.monotonic() < give_up_at:
            typer.echo(said.read(), nl=False)
            time.sleep(LOOK_SECONDS)
        typer.echo(said.read(), nl=False)
    return child.poll() or 0
