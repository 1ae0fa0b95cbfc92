"""How far apart ratings may be: windows widen by what has been looked at, never by a clock.

A window is as wide as at the region's last look (`QueueLooked`), so that whatever is decided in between depends on
the log alone. Looks come at most once a second, and only where a window is wider than it was.
"""

from __future__ import annotations

from bus.decider import Deadline
from lobby.region.tickets import Unit

WIDEN_MS = 5_000
WIDEN_BY = 50
WINDOW_MAX = 400
LOOK_MS = 1_000


def window_of(unit: Unit, looked_at: int) -> int:
    """As it was at the look at `looked_at`, in log ms."""
    return min(unit.window + WIDEN_BY * max((looked_at - unit.queued_at) // WIDEN_MS, 0), WINDOW_MAX)


def widens_at(unit: Unit, looked_at: int) -> int | None:
    """When its window is next wider than at that look, in log ms; None where it is as wide as it gets, or no pool of
    the unit's is rated."""
    if not any(pool.rated for pool in unit.pools) or window_of(unit, looked_at) >= WINDOW_MAX:
        return None
    return unit.queued_at + WIDEN_MS * (max((looked_at - unit.queued_at) // WIDEN_MS, 0) + 1)


def compatible(one: Unit, other: Unit, looked_at: int) -> bool:
    """Whether their ratings are within both windows."""
    distance = abs(one.rating - other.rating)
    return distance <= window_of(one, looked_at) and distance <= window_of(other, looked_at)


def look_deadline(next_at: int, looked_at: int) -> Deadline:
    """Of the next look, where the first window widens at `next_at`. An outage does not put it off: nobody has waited
    less for it."""
    due_at = max(next_at, looked_at + LOOK_MS)
    return Deadline("widen", f"widen-{due_at}", due_at, due_at)
