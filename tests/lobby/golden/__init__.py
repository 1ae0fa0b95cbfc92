"""Logs of whole private rooms, one event a line and the last state in the end: old logs are read as they were.

`python -m tests.lobby.golden` writes a file for each room that has none yet; existing ones stay.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.jsonl"))
SEEDS = {"gathering": 251, "starting": 307, "playing": 216, "closed": 277}
"""Lives that end so, by name; together they have every event."""


def read_golden(file: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The events' JSON and that of the state that they lead to."""
    *events, state = [json.loads(line) for line in file.read_text().splitlines()]
    return events, state
