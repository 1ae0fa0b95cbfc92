"""The folder where everything of one local installation lies: data, logs, pid files, ports, keys."""

import fcntl
import json
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bus.local.ports import choose_port
from bus.local.server import LocalError

FREE_BYTES_MIN = 512 * 1024 * 1024


@dataclass(frozen=True)
class Home:
    """``root`` is absolute. Layout: ``data/NAME/``, ``logs/NAME.log``, ``run/NAME.pid``, ``keys/NAME``."""

    root: Path

    @classmethod
    def from_environment(cls) -> "Home":
        """``CAPICUA_HOME``, or ``.capicua`` in the current folder."""
        return cls(Path(os.environ.get("CAPICUA_HOME") or ".capicua").absolute())

    def data(self, name: str) -> Path:
        return self._folder("data") / name

    def log_file(self, name: str) -> Path:
        return self._folder("logs") / f"{name}.log"

    def pid_file(self, name: str) -> Path:
        return self._folder("run") / f"{name}.pid"

    @property
    def ready_file(self) -> Path:
        """Is there while everything that was started here is ready."""
        return self._folder("run") / "ready"

    def port(self, name: str, *, variable: str = "", preferred: int | None = None) -> int:
        """A free port, the same as last time when it still is.

        Raises LocalError when the port that the environment's ``variable``, if there is one, demands is taken.
        """
        ports = self.ports()
        others = {port for other, port in ports.items() if other != name}
        ports[name] = choose_port(variable, remembered=ports.get(name), preferred=preferred, avoid=others)
        replace_text(self._folder("run") / "ports.json", json.dumps(ports, indent=1) + "\n")
        return ports[name]

    def ports(self) -> dict[str, int]:
        """The ports chosen last, by name."""
        try:
            ports = json.loads((self._folder("run") / "ports.json").read_text())
        except (FileNotFoundError, ValueError):
            return {}
        if not isinstance(ports, dict):
            return {}
        return {name: port for name, port in ports.items() if isinstance(port, int) and 0 < port < 2**16}

    def recorded(self) -> list[str]:
        """Names of the processes that have a pid file, whether they still run or not."""
        return sorted(path.stem for path in self._folder("run").glob("*.pid"))

    def key(self, name: str) -> str:
        """A secret of 32 random bytes in hex, made once, readable by its owner only.

        An empty file, which a machine that lost its power may leave, is as good as none.
        """
        path = self._folder("keys") / name
        if not path.exists() or path.stat().st_size == 0:
            fresh = path.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(32))
            fresh.rename(path)
        return path.read_text().strip()

    def check_disk(self) -> None:
        """Raise LocalError when the disk under this folder is nearly full."""
        self._folder("data")
        free_bytes = shutil.disk_usage(self.root).free
        if free_bytes < FREE_BYTES_MIN:
            raise LocalError(
                f"Only {free_bytes // 2**20} MiB are free under {self.root}, {FREE_BYTES_MIN // 2**20} are needed: "
                "free some space, or set CAPICUA_HOME to a folder on another disk."
            )

    def lock(self) -> IO[str] | None:
        """Hold this home for as long as the returned file is open; None when another process holds it."""
        file = (self._folder("run") / "lock").open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
        return file

    def _folder(self, name: str) -> Path:
        folder = self.root / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LocalError(
                f"Cannot write under {self.root} ({error.strerror}): set CAPICUA_HOME to a folder of yours."
            ) from error
        return folder


def replace_text(path: Path, text: str) -> None:
    """Write a whole file or nothing of it, so that a crash never leaves half."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text)
    fresh.replace(path)
