"""Finds the fewest faults with which a seed still fails (delta debugging, after Zeller)."""

from collections.abc import Callable, Sequence

from tests.simulation.faults import Fault

RUNS_MAX = 60


def shrink(faults: Sequence[Fault], fails: Callable[[Sequence[Fault]], bool]) -> list[Fault]:
    """Some of `faults` that still fail, of which hardly one can be left out; at most 60 runs are spent on it."""
    kept, parts, runs = list(faults), 2, 0
    while kept and runs < RUNS_MAX:
        size = -(-len(kept) // parts)
        for start in range(0, len(kept), size):
            fewer = kept[:start] + kept[start + size :]
            runs += 1
            if fails(fewer):
                kept, parts = fewer, max(parts - 1, 2)
                break
        else:
            if size == 1:
                break
            parts = min(2 * parts, len(kept))
    return kept
