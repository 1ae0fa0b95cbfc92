"""The pools of public play: which presets, seats, targets and options people may queue for."""

from typing import Any, Final

from contracts.envelope import Refusal
from contracts.lobby import Pool
from domino_rules.public_play import PUBLIC_CHOICES, public_ruleset
from domino_rules.ruleset import PRESETS, RulesetError

CHOICES: Final = ("pairs", "spinner", "drawing")
"""What a ticket may choose besides preset, seats and target: a choice that it does not make is the preset's own."""


def options(pool: Pool) -> dict[str, Any]:
    """The pool's ruleset as options to open a table with."""
    chosen = dict.fromkeys(_chosen(pool), True)
    return {"preset": pool.preset, "seats": pool.seats, "target": pool.target, **chosen}


def name(pool: Pool) -> str:
    """The pool in words: `party with 4 seats to 100, pairs`."""
    return ", ".join([f"{pool.preset} with {pool.seats} seats to {pool.target}", *_chosen(pool)])


def _chosen(pool: Pool) -> list[str]:
    return [choice for choice in CHOICES if getattr(pool, choice)]


def refuse(pool: Pool) -> Refusal | None:
    """Why nobody can queue for `pool`, or None: `unknown-preset`, `bad-pool`."""
    if pool.preset not in PRESETS:
        return refusal("unknown-preset", "no such preset", " or ".join(PRESETS), pool.preset)
    for choice in _chosen(pool):
        if choice not in PUBLIC_CHOICES[pool.preset]:
            return refusal("bad-pool", f"{choice} of {pool.preset}", "no choice, the preset decides", "a choice")
    try:
        public_ruleset(options(pool))
    except RulesetError as error:
        return refusal("bad-pool", f"{error.field} of {pool.preset}", error.expected, str(error.got))
    return None


def refusal(code: str, what: str, expected: str, got: str) -> Refusal:
    """A refusal whose sentence says what was expected and what came."""
    return Refusal(code=code, message=f"{what}: expected {expected}, got {got}", expected=expected, got=got)
