"""The product as processes on this machine: started together, each of them to be killed and started again."""

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from types import TracebackType
from typing import IO, Self

from bus.local import Home, LocalError, Server, start_kafka, start_mail, start_postgres, start_valkey
from bus.local.health import http_ok
from bus.local.ports import HOST
from bus.local.process import OwnedProcess, record_pid, recorded_pid, resident_bytes, stop_left_over
from bus.topics import ensure_topics
from capicua.server.environment import (
    choose_account_port,
    choose_gateway_port,
    gateway_url,
    health_port,
    process_environment,
)
from capicua.server.processes import PROCESSES, Need, Process
from contracts.topics import PARTITIONS_LOCAL

log = logging.getLogger(__name__)

SUPERVISOR = "capicua"
READY_POLL_SECONDS = 0.1
START = {Need.KAFKA: start_kafka, Need.VALKEY: start_valkey, Need.POSTGRES: start_postgres, Need.MAIL: start_mail}


class Stack:
    """Servers and processes of one home. What crashes stays down: ``capicua.server.keeper`` starts it again.

    ``settings`` are added to every process's environment. ``report`` gets one line per step.
    """

    def __init__(
        self,
        home: Home,
        *,
        processes: Sequence[Process] = PROCESSES,
        settings: Mapping[str, str] | None = None,
        report: Callable[[str], None] = log.info,
    ) -> None:
        self.home = home
        self.processes = {process.name: process for process in processes}
        self.needs = {need for process in processes for need in process.needs}
        self.servers: dict[Need, Server] = {}
        self.running: dict[str, OwnedProcess] = {}
        self.report = report
        self._settings = dict(settings or {})
        self._lock: IO[str] | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def gateway_url(self) -> str:
        return gateway_url(self.home)

    async def start(self) -> None:
        """Start everything and return when all of it is ready. Raises LocalError, with nothing left running."""
        self._hold_home()
        try:
            await self._end_left_overs()
            choose_gateway_port(self.home)  # Before anything is fetched: a port that is taken is told at once.
            await _all(self.start_server(need) for need in self.needs)
            if Need.KAFKA in self.needs:
                await ensure_topics(self.servers[Need.KAFKA].address, PARTITIONS_LOCAL)
            choose_gateway_port(self.home)
            choose_account_port(self.home)
            await _all(self.start_process(name) for name in self.processes)
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Stop the processes, then the servers; their data stays."""
        await asyncio.gather(*(process.stop() for process in self.running.values()))
        self.running.clear()
        await asyncio.gather(*(server.stop() for server in self.servers.values()))
        self.servers.clear()
        if self._lock is not None:
            self.home.pid_file(SUPERVISOR).unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    async def start_server(self, need: Need) -> None:
        began = time.monotonic()
        server = await START[need](self.home)
        self.servers[need] = server
        self.report(f"{server.name:<16} ready in {time.monotonic() - began:4.1f} s   {server.address}")

    async def start_process(self, name: str) -> None:
        """Start a process that does not run and wait until it is ready; raises LocalError when it never is."""
        began = time.monotonic()
        process = self.processes[name]
        environment = process_environment(process, self.home, self.servers) | self._settings
        argv = [sys.executable, "-m", process.module]
        self.running[name] = OwnedProcess.spawn(name, argv, self.home, environment=environment)
        await self.wait_ready(name)
        self.report(f"{name:<16} ready in {time.monotonic() - began:4.1f} s   pid {self.running[name].pid}")

    async def wait_ready(self, name: str) -> None:
        """Return when the process says that it is ready; raises LocalError, and stops it, when it never does."""
        port = health_port(name, self.home) or 0
        await self.running[name].wait_healthy(lambda: http_ok(HOST, port, "/ready"), every_seconds=READY_POLL_SECONDS)

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> None:
        """Send a process a signal; SIGSTOP and SIGCONT hold it and let it go on."""
        self.running[name].send_signal(number)

    async def restart(self, name: str) -> None:
        """Make sure that the process has ended, then start it again and wait until it is ready."""
        await self.running[name].stop()
        await self.start_process(name)

    def resident_bytes(self, name: str) -> int:
        """Resident bytes of a process, or of a server that was started here; 0 when it does not run."""
        servers = {server.name: server.pid for server in self.servers.values()}
        pid = servers[name] if name in servers else self.running[name].pid
        return resident_bytes(pid) if pid else 0

    def _hold_home(self) -> None:
        self._lock = self.home.lock()
        if self._lock is None:
            pid = recorded_pid(SUPERVISOR, self.home)
            raise LocalError(
                f"Capicua is already running in {self.home.root}{f' (pid {pid})' if pid else ''}: stop it with "
                "'capicua down', or set CAPICUA_HOME to another folder for a second one."
            )
        record_pid(SUPERVISOR, self.home, os.getpid())

    async def _end_left_overs(self) -> None:
        for name in self.home.recorded():
            if name != SUPERVISOR and await stop_left_over(name, self.home):
                self.report(f"{name:<16} was left over from an earlier run: stopped")


async def _all(steps: Iterable[Coroutine[None, None, None]]) -> None:
    """Run the steps at once; the first that fails ends the others, and its error is raised once they have ended."""
    tasks = [asyncio.ensure_future(step) for step in steps]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
