"""The options that the rules page says in sentences are those of the library."""

import json
from dataclasses import asdict, fields
from typing import Any

from web.node import WEB

from domino_rules.ruleset import CHOICES, PRESETS, SEATS, SWITCHES, Ruleset

KNOWN = WEB / "tests/pages/rules/options.json"


def options() -> dict[str, Any]:
    return {
        "names": [field.name for field in fields(Ruleset)],
        "choices": CHOICES,
        "switches": SWITCHES,
        "presets": {
            preset: {str(seats): asdict(Ruleset.of(preset, seats)) for seats in seats_of(preset)} for preset in PRESETS
        },
    }


def seats_of(preset: str) -> range:
    fewest, most = SEATS[preset]
    return range(fewest, most + 1)


def test_the_pages_are_tried_with_the_options_that_there_are() -> None:
    written = json.dumps(options(), indent=2) + "\n"
    assert KNOWN.read_text() == written, f"{KNOWN} has other options than the library; write there:\n{written}"
