"""The account that this user had last time, one for each server, in the user's configuration folder; and one more for
each name in `CAPICUA_GUEST`, so that several people can play from one machine. What is saved is the secret of its
session."""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path

GUEST = "CAPICUA_GUEST"


def saved_token(url: str) -> str | None:
    """The token for the server at `url`, or none."""
    token = _read().get(_key(url))
    return token if isinstance(token, str) else None


def save_token(url: str, token: str | None) -> None:
    """Keeps the token, or forgets it when none is given. Only the user may read the file. Raises OSError."""
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone(path):
        guests = {other: kept for other, kept in _read().items() if other != _key(url)}
        if token is not None:
            guests[_key(url)] = token
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(guests, file, indent=1)
        fresh.replace(path)


def _key(url: str) -> str:
    """No address of a server ends like that of a named guest."""
    guest = os.environ.get(GUEST, "").strip()
    server = url.rstrip("/")
    return f"{server}#{guest}" if guest else server


def _file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "capicua" / "guests.json"


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Another terminal that saves its guest waits meanwhile."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _read() -> dict[str, object]:
    try:
        guests = json.loads(_file().read_text())
    except (OSError, ValueError):
        return {}
    return guests if isinstance(guests, dict) else {}
