"""Processes started here: with a log file each, and a pid file that tells ours from a stranger's."""

import asyncio
import contextlib
import json
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import psutil

from bus.local.home import Home, replace_text
from bus.local.server import LocalError

STOP_SECONDS_MAX = 10.0
START_SECONDS_MAX = 90.0
POLL_SECONDS = 0.02
LOG_BYTES_MAX = 16 * 1024 * 1024


@dataclass(frozen=True)
class Account:
    """Somebody else on this machine, in whose name root may start a process."""

    uid: int
    gid: int


class Identity(TypedDict, total=False):
    """What ``subprocess`` takes for it."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True)
class OwnedProcess:
    """A running child process; ``stop`` ends it, and a new home lock holder may end it as a left-over."""

    name: str
    home: Home
    child: subprocess.Popen[bytes]
    log_begins: int = 0
    """Where its own lines begin in the log file, in bytes: before are those of earlier runs."""

    @classmethod
    def spawn(
        cls,
        name: str,
        argv: Sequence[str],
        home: Home,
        *,
        environment: Mapping[str, str] | None = None,
        account: Account | None = None,
    ) -> "OwnedProcess":
        """Start ``argv`` in a session of its own, so that Ctrl-C reaches whoever supervises it first."""
        log_file = home.log_file(name)
        if log_file.exists() and log_file.stat().st_size > LOG_BYTES_MAX:
            log_file.replace(log_file.with_suffix(".log.1"))
        with log_file.open("ab") as log:
            log_begins = log.tell()
            child = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,
                **identity(account),
            )
        with contextlib.suppress(psutil.NoSuchProcess):
            record_pid(name, home, child.pid)
        return cls(name, home, child, log_begins)

    @property
    def pid(self) -> int:
        return self.child.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative when a signal ended it."""
        return self.child.poll()

    def send_signal(self, number: signal.Signals) -> None:
        self.child.send_signal(number)

    async def exited(self) -> int:
        """Wait for its end; the exit code."""
        while (code := self.child.poll()) is None:  # noqa: ASYNC110 - a thread each would be dearer
            await asyncio.sleep(POLL_SECONDS)
        return code

    async def stop(self, *, first: signal.Signals = signal.SIGTERM, seconds_max: float = STOP_SECONDS_MAX) -> None:
        """Ask it to end, then make it."""
        if self.exit_code is None:
            self.send_signal(first)
            self.send_signal(signal.SIGCONT)
            try:
                async with asyncio.timeout(seconds_max):
                    await self.exited()
            except TimeoutError:
                self.send_signal(signal.SIGKILL)
                await self.exited()
        self.home.pid_file(self.name).unlink(missing_ok=True)

    async def wait_healthy(
        self,
        check: Callable[[], Awaitable[bool]],
        *,
        seconds_max: float = START_SECONDS_MAX,
        every_seconds: float = POLL_SECONDS,
    ) -> None:
        """Return once ``check`` says yes; else stop the process and raise LocalError with what it said last."""
        give_up_at = time.monotonic() + seconds_max
        try:
            while not await check():
                if self.exit_code is not None:
                    raise LocalError(f"{self.name} ended while starting: {self._last_words()}")
                if time.monotonic() > give_up_at:
                    raise LocalError(f"{self.name} gave no answer in {seconds_max:.0f} s: {self._last_words()}")
                await asyncio.sleep(every_seconds)
        except BaseException:
            await self.stop()
            raise

    def _last_words(self) -> str:
        log_file = self.home.log_file(self.name)
        with log_file.open("rb") as log:
            log.seek(self.log_begins)
            lines = log.read().decode(errors="replace")[-8192:].splitlines()
        if any("No space left on device" in line for line in lines):
            return f"no space is left on the disk of {self.home.root}: free some, or set CAPICUA_HOME."
        said = next((f"last '{line.strip()[:200]}'" for line in reversed(lines) if line.strip()), "nothing")
        return f"it said {said}, see {log_file}"


def identity(account: Account | None) -> Identity:
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def resident_bytes(pid: int) -> int:
    """Memory that a process occupies; 0 once it has ended."""
    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.NoSuchProcess:
        return 0


async def stop_left_over(name: str, home: Home) -> bool:
    """End what an earlier run, itself killed, left running under this name; forget a stale pid file. True if it ran.

    A pid alone proves nothing, since numbers are used again: the start time must agree too.
    """
    pid_file = home.pid_file(name)
    process = _recorded_process(pid_file)
    if process is not None:
        process.terminate()
        process.resume()
        _, alive = await asyncio.to_thread(psutil.wait_procs, [process], STOP_SECONDS_MAX)
        for stubborn in alive:
            stubborn.kill()
        await asyncio.to_thread(psutil.wait_procs, alive, STOP_SECONDS_MAX)
    pid_file.unlink(missing_ok=True)
    return process is not None


def record_pid(name: str, home: Home, pid: int) -> None:
    """Write the pid file of a process that runs; raises psutil.NoSuchProcess."""
    started = psutil.Process(pid).create_time()
    replace_text(home.pid_file(name), json.dumps({"pid": pid, "started": started}))


def recorded_pid(name: str, home: Home) -> int | None:
    """The pid of the process of this name that runs now, if any, whoever started it."""
    process = _recorded_process(home.pid_file(name))
    return process.pid if process else None


def _recorded_process(pid_file: Path) -> psutil.Process | None:
    try:
        record = json.loads(pid_file.read_text())
        process = psutil.Process(record["pid"])
        # A clock that is set back or forth moves the start times that the system tells by a little.
        same = abs(process.create_time() - record["started"]) < 2 and process.status() != psutil.STATUS_ZOMBIE
    except (OSError, ValueError, KeyError, TypeError, psutil.Error):
        return None
    return process if same else None
