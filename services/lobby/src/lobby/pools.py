"""The pools of public play: which presets, seats and targets people may queue for."""

from collections.abc import Mapping
from typing import Final

from contracts.envelope import Refusal
from contracts.lobby import Pool
from domino_rules.ruleset import SEATS

TARGETS: Final[Mapping[str, tuple[int, ...]]] = {"draw": (50, 100, 150), "block": (50, 100, 150)}
"""Public play takes its targets from the preset's row in the rules; a preset without an entry has no public queue."""


def refuse(pool: Pool) -> Refusal | None:
    """Why nobody can queue for `pool`, or None: `unknown-preset`, `bad-pool`."""
    targets = TARGETS.get(pool.preset)
    if targets is None:
        return refusal("unknown-preset", "this preset has no public queue", " or ".join(TARGETS), pool.preset)
    fewest, most = SEATS[pool.preset]
    if not fewest <= pool.seats <= most:
        return refusal("bad-pool", "no such number of seats", f"{fewest} to {most} seats", str(pool.seats))
    if pool.target not in targets:
        return refusal("bad-pool", "no such target", " or ".join(map(str, targets)), str(pool.target))
    return None


def refusal(code: str, what: str, expected: str, got: str) -> Refusal:
    """A refusal whose sentence says what was expected and what came."""
    return Refusal(code=code, message=f"{what}: expected {expected}, got {got}", expected=expected, got=got)
