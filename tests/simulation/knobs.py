"""The product's own bounds, made tiny in some runs: what happens only under load in production happens all the time."""

import random
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import ModuleType

import bus.delivery
import bus.inbox
import bus.pipeline
import bus.restoring
import bus.snapshots.loading
import bus.snapshots.records
import bus.snapshots.writing
import bus.tail
import gateway.absences
import gateway.account_cache
import gateway.history
import timer.clockwork
import timer.snapshots.loading
import timer.snapshots.writing

KNOBS: dict[str, tuple[tuple[ModuleType, str, float], ...]] = {
    "few unconfirmed": ((bus.pipeline, "UNCONFIRMED_MAX", 4),),
    "small inboxes": ((bus.inbox, "WAITING_MAX", 20), (bus.inbox, "WAITING_LOW", 5)),
    "little room": ((bus.delivery, "WAITING_MAX", 0), (bus.delivery, "BATCH_MAX", 2)),
    "early commits": ((bus.delivery, "COMMIT_SECONDS", 0.2),),
    "short slices": (
        (bus.restoring, "SLICE_AGGREGATES", 2),
        (bus.restoring, "SLICE_SECONDS", 0.00006),
        (bus.snapshots.loading, "SLICE_SECONDS", 0.0),
        (bus.snapshots.writing, "SLICE_SECONDS", 0.0),
        (bus.tail, "SLICE_SECONDS", 0.00006),
        (timer.snapshots.loading, "SLICE_SECONDS", 0.0),
        (timer.snapshots.writing, "SLICE_SECONDS", 0.0),
        (timer.snapshots.writing, "SLICE_ENTRIES", 2),
        (gateway.history, "SLICE_SECONDS", 0.0),
    ),
    "few snapshot records": (
        (bus.snapshots.writing, "UNCONFIRMED_MAX", 2),
        (timer.snapshots.writing, "UNCONFIRMED_MAX", 2),
    ),
    "small chunks": (
        (bus.snapshots.records, "CHUNK_BYTES_MAX", 200),
        (timer.snapshots.writing, "CHUNK_BYTES_MAX", 200),
    ),
    "few timeouts": ((timer.clockwork, "SENDING_MAX", 2),),
    "soon away": ((gateway.absences, "GONE_SECONDS", 0.5), (gateway.absences, "MISSED_SECONDS", 2.0)),
    "few names": ((gateway.account_cache, "KNOWN_MAX", 0),),
    "one pass": ((gateway.history, "PASSES_MAX", 1),),
}
TINY = 0.25
CIRCUMSTANCES = ("crowded", "cold cache", "pairs", "poison", "two timers", "long waits")
"""Of the world around the product: writers that have no room, a cache that mostly does not answer, two of every
process, commands that kill, a second group of timers, days and months that pass."""
UNUSUAL = 0.1


def drawn(seed: int) -> set[str]:
    """The knobs and circumstances of a run."""
    chance = random.Random(f"knobs {seed}")
    names = {name for name in KNOBS if chance.random() < TINY}
    return names | {name for name in CIRCUMSTANCES if chance.random() < UNUSUAL}


@contextmanager
def turned(names: Collection[str]) -> Iterator[None]:
    """These bounds are tiny as long as this lasts."""
    turns = [turn for name in sorted(KNOBS.keys() & names) for turn in KNOBS[name]]
    before = [(module, name, getattr(module, name)) for module, name, _ in turns]
    for module, name, tiny in turns:
        setattr(module, name, tiny)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
