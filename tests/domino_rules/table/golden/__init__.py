"""Logs of whole tables, one event a line and the last state's hash in the end: old logs are read for ever.

`python -m tests.domino_rules.table.golden` writes a file for each table that has none yet; existing ones stay.
"""

import json
from pathlib import Path
from typing import Any

from tests.domino_rules.table.lives import KINDS, events_of, life_of

from domino_rules.table import TableEvent

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.jsonl"))
NAMES = tuple(KINDS)
SEED = 28


def golden_life(name: str) -> list[TableEvent]:
    """All events of the table, decided now."""
    return events_of(life_of(KINDS[name], SEED))


def read_golden(file: Path) -> tuple[list[dict[str, Any]], str]:
    """The events' JSON and the hash of the state that they lead to."""
    *events, last = [json.loads(line) for line in file.read_text().splitlines()]
    return events, last["state_hash"]
