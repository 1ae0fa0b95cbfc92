"""Time that makes up for the way between a person and the table, so that whoever is far off loses none of it."""

from __future__ import annotations

from typing import Final

CREDIT_MS_MAX: Final = 500
"""In one turn, however often its timer is set."""

CREDIT_MS_MATCH_MAX: Final = 5_000
"""In one match, for each seat."""

DELAY_MS_CHANGE: Final = 25
"""A delay that differs by no more than this from the noted one is the same."""


def credit_ms(delay_ms: int, turn_ms: int, match_ms: int) -> int:
    """What a seat with that delay is credited now, if it was credited `turn_ms` in this turn already and `match_ms` in
    this match."""
    return max(0, min(delay_ms, CREDIT_MS_MAX - turn_ms, CREDIT_MS_MATCH_MAX - match_ms))


def noted_delay(before_ms: int, measured_ms: int) -> int | None:
    """What to note of a delay that was measured; none when it says nothing new."""
    delay_ms = min(measured_ms, CREDIT_MS_MAX)
    return delay_ms if abs(delay_ms - before_ms) > DELAY_MS_CHANGE else None
