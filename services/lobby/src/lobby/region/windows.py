"""How far apart ratings may be: windows widen by what has been looked at, never by a clock.

A window is as wide as at the region's last look (`QueueLooked`), so that whatever is decided in between depends on
the log alone. Looks come at most once a second, and only where a window is wider than it was.

Were both windows asked for at any time, people at the ends of the scale would wait until three others had waited as
well: who has waited until any window is full is patient, and sits down with whoever is within `WINDOW_MAX`.
"""

from __future__ import annotations

from bus.decider import Deadline
from lobby.region.tickets import Unit

WIDEN_MS = 5_000
WIDEN_BY = 50
WINDOW_MAX = 400
STEPS_MAX = 7
"""After so many every window is as wide as it gets, and whoever has waited for them is patient."""
LOOK_MS = 1_000


def window_of(unit: Unit, looked_at: int) -> int:
    """As it was at the look at `looked_at`, in log ms."""
    return min(unit.window + WIDEN_BY * _steps(unit, looked_at), WINDOW_MAX)


def is_patient(unit: Unit, looked_at: int) -> bool:
    """Whether it has waited for so long that others need not wait until their windows reach it."""
    return _steps(unit, looked_at) >= STEPS_MAX


def widens_at(unit: Unit, looked_at: int) -> int | None:
    """When it next fits more people than at that look, in log ms; None where it fits all that it ever will, or no pool
    of the unit's is rated."""
    if is_patient(unit, looked_at) or not any(pool.rated for pool in unit.pools):
        return None
    return unit.queued_at + WIDEN_MS * (_steps(unit, looked_at) + 1)


def compatible(one: Unit, other: Unit, looked_at: int) -> bool:
    """Whether their ratings are within both windows, or, where one of them is patient, within `WINDOW_MAX`."""
    distance = abs(one.rating - other.rating)
    if is_patient(one, looked_at) or is_patient(other, looked_at):
        return distance <= WINDOW_MAX
    return distance <= window_of(one, looked_at) and distance <= window_of(other, looked_at)


def _steps(unit: Unit, looked_at: int) -> int:
    return max((looked_at - unit.queued_at) // WIDEN_MS, 0)


def look_deadline(next_at: int, looked_at: int) -> Deadline:
    """Of the next look, where the first window widens at `next_at`. An outage does not put it off: nobody has waited
    less for it."""
    due_at = max(next_at, looked_at + LOOK_MS)
    return Deadline("widen", f"widen-{due_at}", due_at, due_at)
