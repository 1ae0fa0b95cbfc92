"""The product's processes that are killed and paused: two that decide for the table, and the timer."""

import json
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from bus.local import Home
from bus.local.health import http_ok
from bus.local.ports import HOST
from bus.local.process import OwnedProcess

SESSION_MS = 2000
READY_SECONDS_MAX = 40.0


@dataclass(frozen=True, slots=True)
class Service:
    """`python -m module`, which reaches the brokers at `bootstrap`; `environment` is added to this process's own."""

    module: str
    bootstrap: str
    environment: Mapping[str, str] = field(default_factory=dict)


class Services:
    """By name. One that was killed stays away until `start`."""

    def __init__(self, home: Home, services: Mapping[str, Service]) -> None:
        self._home = home
        self._services = services
        self._ports: dict[str, int] = {}
        self._processes: dict[str, OwnedProcess] = {}

    def spawn(self, name: str) -> None:
        """Starts it without waiting for it."""
        service = self._services[name]
        self._ports[name] = self._home.port(f"{name}-health")  # the one of before, unless somebody has taken it
        environment = {
            **os.environ,
            "KAFKA_BOOTSTRAP": service.bootstrap,
            "CAPICUA_SESSION_MS": str(SESSION_MS),
            "CAPICUA_HEALTH_PORT": str(self._ports[name]),
            **service.environment,
        }
        command = [sys.executable, "-m", service.module]
        self._processes[name] = OwnedProcess.spawn(name, command, self._home, environment=environment)

    async def ready(self, *names: str) -> None:
        """Returns when they say so; raises LocalError when one ends instead, which none may do unasked."""
        for name in names or tuple(self._services):
            port = self._ports[name]
            await self._processes[name].wait_healthy(
                lambda port=port: http_ok(HOST, port, "/ready"),  # type: ignore[misc]
                seconds_max=READY_SECONDS_MAX,
            )

    async def start(self, name: str) -> None:
        self.spawn(name)
        await self.ready(name)

    def errors(self, name: str) -> list[str]:
        """What a process of ours has called an error since it was first started, without what its Kafka client did
        (asyncio speaks up for it when it leaves a task of its own behind)."""
        found = []
        for text in self._home.log_file(name).read_text(errors="replace").splitlines():
            line = _json(text)
            if line.get("level") == "error" and not line["logger"].startswith(("aiokafka", "asyncio")):
                found.append(f"{name}: {line['message']}")
        return found

    def send_signal(self, name: str, number: signal.Signals) -> None:
        self._processes[name].send_signal(number)

    async def kill(self, name: str) -> None:
        self.send_signal(name, signal.SIGKILL)
        await self._processes[name].exited()

    async def terminate(self, name: str) -> int:
        """Asks it to end; its exit code."""
        self.send_signal(name, signal.SIGTERM)
        return await self._processes[name].exited()

    async def stop(self) -> None:
        for process in self._processes.values():
            await process.stop()


def _json(text: str) -> dict[str, str]:
    """A line of a log; empty for one that a kill has cut in two."""
    try:
        line: dict[str, str] = json.loads(text)
    except ValueError:
        return {}
    return line
