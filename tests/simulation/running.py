"""Runs one seed from its beginning to its end."""

import asyncio
import gc
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.simulation.faults import Fault
from tests.simulation.knobs import turned
from tests.simulation.loop import Stuck
from tests.simulation.result import Result
from tests.simulation.told import Violation
from tests.simulation.world import World

from bus.outcomes import PartitionFold
from bus.records import Record
from bus.validity import Judgement, Validity


@contextmanager
def _drawn_from(world: World) -> Iterator[None]:
    """What the gateway draws for its notes comes from the world's chance."""
    before = secrets.token_hex
    setattr(secrets, "token_hex", lambda count: world.notes.randbytes(count).hex())  # noqa: B010
    try:
        yield
    finally:
        setattr(secrets, "token_hex", before)  # noqa: B010


@contextmanager
def _observed(world: World) -> Iterator[None]:
    """Every reader's judgement is looked at, whoever it is."""
    judge, take = Validity.judge, PartitionFold.take
    judged, taken = world.guarded(world.witness.judged), world.guarded(world.witness.taken)

    def observed_judge(self: Validity, record: Record) -> Judgement:
        judgement = judge(self, record)
        judged(self, record, judgement)
        return judgement

    def observed_take(self: PartitionFold, record: Record) -> Any:
        outcome = take(self, record)
        taken(self, record, outcome)
        return outcome

    setattr(Validity, "judge", observed_judge)  # noqa: B010 - a method of a class that knows nothing of this
    setattr(PartitionFold, "take", observed_take)  # noqa: B010
    try:
        yield
    finally:
        setattr(Validity, "judge", judge)  # noqa: B010
        setattr(PartitionFold, "take", take)  # noqa: B010


def simulate(
    seed: int,
    faults: Sequence[Fault] | None = None,
    *,
    keep_trace: bool = False,
    in_the_end: Callable[[World], None] = lambda _: None,
) -> Result:
    """Runs `seed`, with its own faults or the given ones. The result says what was violated, if anything. `in_the_end`
    may look at the world before it is buried."""
    started = time.process_time()
    logging.disable(logging.CRITICAL)
    gc.disable()
    world = World(seed, faults, keep_trace)
    asyncio.set_event_loop(world.loop)
    try:
        with turned(world.circumstances), _observed(world), _drawn_from(world):
            main = world.loop.create_task(world.run())
            main.add_done_callback(lambda _: world.loop.stop())
            try:
                world.loop.run_forever()
            except Stuck:
                world.report(Violation("processes go on: nobody can run any more"))
            if world.trouble is not None:
                raise world.trouble
            if world.result.violation is None:
                main.result()
                in_the_end(world)
    finally:
        world.bury()
        asyncio.set_event_loop(None)
        logging.disable(logging.NOTSET)
        gc.enable()
    result = world.result
    result.outcomes = world.truth.outcomes
    result.views, result.acknowledged = world.witness.views, world.witness.acknowledged
    result.digest, result.steps = world.trace.digest(), world.loop.steps
    result.seconds = time.process_time() - started
    return result
