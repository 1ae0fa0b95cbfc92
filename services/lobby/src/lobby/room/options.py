"""The rulesets of private rooms: every option of every preset, with times and targets that people play with. A table
that only timers play must not be quick."""

from collections.abc import Mapping
from typing import Any, Final

from contracts.envelope import Refusal
from domino_rules.public_play import MINUTE_MS
from domino_rules.ruleset import Ruleset, RulesetError
from lobby.refusals import refusal

BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "target": (1, 10_000),
    "round_cap": (1, 1_000),
    "turn_ms": (1_000, 60 * MINUTE_MS),
    "clock_ms": (10_000, 600 * MINUTE_MS),
    "pause_ms": (0, 10 * MINUTE_MS),
}
"""The rules know hardly any for these."""
GOT_LENGTH_MAX: Final = 80


def ruleset_of(options: Mapping[str, Any]) -> Ruleset:
    """The ruleset of a room's options. Raises `RulesetError` for those that no room can have."""
    ruleset = Ruleset.from_json(options)
    for name, (least, most) in BOUNDS.items():
        value = getattr(ruleset, name)
        if value is not None and not least <= value <= most:
            raise RulesetError(name, f"a whole number from {least} to {most}", value)
    if ruleset.turn_ms is None and ruleset.clock_ms is None:
        raise RulesetError("turn_ms", "a turn timer, or a match clock", None)
    return ruleset


def refuse(error: RulesetError) -> Refusal:
    """`bad-ruleset`, with no more of what came than is good to read."""
    field, got = error.field[:GOT_LENGTH_MAX], repr(error.got)[:GOT_LENGTH_MAX]
    return refusal("bad-ruleset", f"{field} of the ruleset", error.expected, got)
