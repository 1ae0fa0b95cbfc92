"""The guest account that this user had last time, one for each server, in the user's configuration folder."""

import json
import os
from pathlib import Path


def _file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "capicua" / "guests.json"


def saved_token(url: str) -> str | None:
    """The token for the server at `url`, or none."""
    token = _read().get(url)
    return token if isinstance(token, str) else None


def save_token(url: str, token: str | None) -> None:
    """Keeps the token, or forgets it when none is given. Only the user may read the file. Raises OSError."""
    guests = {other: kept for other, kept in _read().items() if other != url}
    if token is not None:
        guests[url] = token
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(guests, file, indent=1)
    fresh.replace(path)


def _read() -> dict[str, object]:
    try:
        guests = json.loads(_file().read_text())
    except (OSError, ValueError):
        return {}
    return guests if isinstance(guests, dict) else {}
