"""The product's own bounds, made tiny in some runs: what happens only under load in production happens all the time."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import bus.delivery
import bus.inbox
import bus.pipeline
import bus.restoring
import bus.snapshots.writing
import timer.clockwork

KNOBS = (
    (bus.pipeline, {"UNCONFIRMED_MAX": 4}),
    (bus.inbox, {"WAITING_MAX": 20, "WAITING_LOW": 5}),
    (bus.delivery, {"WAITING_MAX": 2, "BATCH_MAX": 2}),
    (bus.delivery, {"COMMIT_SECONDS": 0.2}),
    (bus.restoring, {"SLICE_AGGREGATES": 2}),
    (bus.snapshots.writing, {"UNCONFIRMED_MAX": 2}),
    (bus.snapshots.writing, {"CHUNK_BYTES_MAX": 200}),
    (timer.clockwork, {"SENDING_MAX": 2}),
)
TINY = 0.3


@contextmanager
def turned(chance: random.Random) -> Iterator[None]:
    """Some bounds are tiny as long as this lasts."""
    before = []
    for module, tiny in KNOBS:
        if chance.random() < TINY:
            for name, value in tiny.items():
                if hasattr(module, name):
                    before.append((module, name, getattr(module, name)))
                    setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
