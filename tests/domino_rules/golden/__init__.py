"""Whole matches whose events are kept in files, one JSON object a line: old events are read for ever.

`python -m tests.domino_rules.golden` writes a file for each variant that has none yet; existing ones stay.
"""

import json
from pathlib import Path
from typing import Any

from tests.domino_rules.matches import VARIANTS, decisions

from domino_rules import GameEvent

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.jsonl"))
SEED = 28


def golden_match(variant: str) -> list[GameEvent]:
    """All events of the variant's match, decided now."""
    return [event for _, events in decisions(VARIANTS[variant], SEED) for event in events]


def read_golden(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]
