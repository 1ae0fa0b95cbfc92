"""The pools of public play: which presets, seats, targets and options people may queue for."""

from typing import Any, Final

from contracts.envelope import Refusal
from contracts.lobby import Pool
from domino_rules.public_play import MINUTE_MS, PUBLIC_CHOICES, public_ruleset
from domino_rules.ruleset import PRESETS, Ruleset, RulesetError

CHOICES: Final = ("pairs", "spinner", "drawing")
"""What a ticket may choose besides preset, seats and target: a choice that it does not make is the preset's own."""


def options(pool: Pool) -> dict[str, Any]:
    """The pool's ruleset as options to open a table with."""
    chosen = dict.fromkeys(_chosen(pool), True)
    return {"preset": pool.preset, "seats": pool.seats, "target": pool.target, **chosen, **_times(pool)}


def with_own_times_unsaid(pool: Pool) -> Pool:
    """The same pool, with a time that is the preset's own left out: who says it waits with those who do not."""
    own = Ruleset.of(pool.preset, pool.seats)
    said = _times(pool)
    turn_seconds = None if said.get("turn_ms") == own.turn_ms else pool.turn_seconds
    clock_minutes = None if said.get("clock_ms") == own.clock_ms else pool.clock_minutes
    return pool.model_copy(update={"turn_seconds": turn_seconds, "clock_minutes": clock_minutes})


def name(pool: Pool) -> str:
    """The pool in words: `party with 4 seats to 100, pairs, 30 s a turn`."""
    turn = [] if pool.turn_seconds is None else [f"{pool.turn_seconds} s a turn"]
    clock = [] if pool.clock_minutes is None else [f"{pool.clock_minutes} min a seat"]
    return ", ".join([f"{pool.preset} with {pool.seats} seats to {pool.target}", *_chosen(pool), *turn, *clock])


def _chosen(pool: Pool) -> list[str]:
    return [choice for choice in CHOICES if getattr(pool, choice)]


def _times(pool: Pool) -> dict[str, int]:
    """The times that the pool says, as options of a ruleset."""
    turn = {} if pool.turn_seconds is None else {"turn_ms": pool.turn_seconds * 1000}
    return turn if pool.clock_minutes is None else {**turn, "clock_ms": pool.clock_minutes * MINUTE_MS}


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
