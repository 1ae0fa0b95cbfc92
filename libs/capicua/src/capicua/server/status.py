"""``capicua status``: what runs, whether it is well, and what memory it takes."""

import asyncio
from dataclasses import dataclass

import typer
from rich.console import Console
from rich.table import Table

from bus.local import Home
from bus.local.health import http_ok
from bus.local.ports import HOST
from bus.local.process import recorded_pid, resident_bytes
from capicua.server.environment import gateway_url, health_port
from capicua.server.processes import PROCESSES

SERVERS = ("kafka", "valkey", "postgres", "mail")


@dataclass(frozen=True)
class Line:
    """One process as it is now; ``health`` is one word, ``resident`` in bytes."""

    name: str
    pid: int | None
    health: str
    resident: int


def status() -> None:
    """Show every process: pid, health, resident memory."""
    home = Home.from_environment()
    lines = asyncio.run(look(home))
    table = Table("process", "pid", "health", "memory (MiB)", box=None)
    for line in lines:
        table.add_row(line.name, str(line.pid or "-"), line.health, f"{line.resident / 2**20:.0f}")
    table.add_row("together", "", "", f"{sum(line.resident for line in lines) / 2**20:.0f}")
    Console(soft_wrap=True).print(table)
    if all(line.pid is None for line in lines):
        typer.echo(f"Nothing runs in {home.root}.")
        raise typer.Exit(1)
    typer.echo(f"API  {gateway_url(home)}")
    typer.echo(f"logs {home.root / 'logs'}")


async def look(home: Home) -> list[Line]:
    """The servers that run here, then every process of the product whether it runs or not."""
    servers = [await _line(name, home) for name in SERVERS if recorded_pid(name, home)]
    return servers + list(await asyncio.gather(*(_line(process.name, home) for process in PROCESSES)))


async def _line(name: str, home: Home) -> Line:
    pid = recorded_pid(name, home)
    if pid is None:
        return Line(name, None, "down", 0)
    return Line(name, pid, await _health(name, home), resident_bytes(pid))


async def _health(name: str, home: Home) -> str:
    port = health_port(name, home)
    if port is None:
        return "running"
    if await http_ok(HOST, port, "/ready"):
        return "ready"
    return "not ready" if await http_ok(HOST, port, "/live") else "no answer"
