"""Which server a command talks to when nobody says."""

import json
import os
from pathlib import Path

FALLBACK = "http://127.0.0.1:8080"


def default_address() -> str:
    """`CAPICUA_URL`, else the stack that was started in this folder (`.capicua`, or `CAPICUA_HOME`), else port 8080."""
    return os.environ.get("CAPICUA_URL") or _local_stack() or FALLBACK


def _local_stack() -> str | None:
    ports = Path(os.environ.get("CAPICUA_HOME") or ".capicua") / "run" / "ports.json"
    try:
        port = json.loads(ports.read_text())["gateway"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return f"http://127.0.0.1:{port}" if isinstance(port, int) else None
