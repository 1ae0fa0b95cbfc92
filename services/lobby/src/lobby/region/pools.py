"""The pools of public play: which presets, seats, targets and options people may queue for."""

from functools import lru_cache
from typing import Any

from contracts.envelope import Refusal
from contracts.region import Pool
from domino_rules.public_play import PUBLIC_CHOICES, SWITCHES, public_ruleset, wish_in_words, wished_options
from domino_rules.ruleset import PRESETS, Ruleset, RulesetError
from lobby.refusals import refusal

KNOWN_MAX = 4_096
"""Of how many pools is remembered what is worked out of them: more than public play has."""


def options(pool: Pool) -> dict[str, Any]:
    """The pool's ruleset as options to open a table with."""
    return wished_options(pool.model_dump())


@lru_cache(KNOWN_MAX)
def canonical(pool: Pool) -> Pool:
    """An equal pool, the same object for all equal ones: a hundred thousand tickets share a few hundred pools."""
    return pool


@lru_cache(KNOWN_MAX)
def with_own_times_unsaid(pool: Pool) -> Pool:
    """The same pool, with a time that is the preset's own left out: who says it waits with those who do not."""
    own = Ruleset.of(pool.preset, pool.seats)
    said = options(pool)
    turn_seconds = None if said.get("turn_ms") == own.turn_ms else pool.turn_seconds
    clock_minutes = None if said.get("clock_ms") == own.clock_ms else pool.clock_minutes
    return pool.model_copy(update={"turn_seconds": turn_seconds, "clock_minutes": clock_minutes})


def name(pool: Pool) -> str:
    """The pool in words: `party with 4 seats to 100, pairs, 30 s a turn`."""
    return wish_in_words(pool.model_dump())


@lru_cache(KNOWN_MAX)
def refuse(pool: Pool) -> Refusal | None:
    """Why nobody can queue for `pool`, or None: `unknown-preset`, `bad-pool`."""
    if pool.preset not in PRESETS:
        return refusal("unknown-preset", "no such preset", " or ".join(PRESETS), pool.preset)
    for choice in SWITCHES:
        if getattr(pool, choice) and choice not in PUBLIC_CHOICES[pool.preset]:
            return refusal("bad-pool", f"{choice} of {pool.preset}", "no choice, the preset decides", "a choice")
    try:
        public_ruleset(options(pool))
    except RulesetError as error:
        return refusal("bad-pool", f"{error.field} of {pool.preset}", error.expected, str(error.got))
    return None
