"""One process of the product: it can be killed, stand still, be cut off from the broker, or have a wrong clock."""

import asyncio
import contextvars
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.simulation.loop import PROCESS, SimulationLoop
from tests.simulation.points import Point, where

from bus.clock import BrokerTime
from bus.parts import Parts
from bus.process import Process
from bus.tasks import end

if TYPE_CHECKING:
    from tests.simulation.log import SimulatedLog
    from tests.simulation.truth import Ledger

NOON = 1_700_000_000_000
TIMERS = ("timer", "rival")
"""The timers of the product's group, and those of a second one."""
Ended = Callable[["SimulatedProcess", BaseException | None], None]


class SimulatedClock:
    """`skew` seconds wrong on the wall; monotonic time started somewhere else."""

    def __init__(self, loop: SimulationLoop, chance: random.Random) -> None:
        self._loop = loop
        self._started = chance.random() * 1000
        self.skew = chance.uniform(-3.0, 3.0) if chance.random() < 0.3 else 0.0

    def monotonic(self) -> float:
        return self._started + self._loop.work()

    def wall(self) -> int:
        return NOON + int((self._loop.time() + self.skew) * 1000)


class LoopTasks:
    """`bus.tasks.Tasks` on the simulation's loop."""

    def __init__(self, loop: SimulationLoop) -> None:
        self._loop = loop

    def spawn(self, work: Any, name: str) -> "asyncio.Task[None]":
        return self._loop.create_task(work, name=name)

    async def sleep(self, seconds: float) -> None:
        await elapse(seconds)


async def elapse(seconds: float) -> None:
    """Lets simulated time pass."""
    loop = asyncio.get_running_loop()
    waiting = loop.create_future()
    timer = loop.call_later(seconds, _settle, waiting)
    try:
        await waiting
    finally:
        timer.cancel()


def _settle(waiting: "asyncio.Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)


class SimulatedProcess:
    """Killed means: from that moment on nothing that its code does reaches anything outside of it."""

    def __init__(self, kind: str, number: int, loop: SimulationLoop, chance: random.Random, on_end: Ended) -> None:
        self.kind = kind
        self.name = f"{kind}-{number}"
        self.loop = loop
        self.chance = chance
        self.clock = SimulatedClock(loop, chance)
        self.alive = True
        self.paused = False
        self.cut = False
        self.stopping = False
        self.started = False
        self.troubled_at = loop.time()
        """When something happened to it last, its start included."""
        self.unreachable_since: float | None = None
        self.tasks: dict[int, asyncio.Task[Any]] = {}
        self.parked: list[asyncio.Handle] = []
        self.at_death: list[Callable[[], None]] = []
        self.context = contextvars.Context()
        self.context.run(PROCESS.set, self)
        self.product: Process | None = None
        self.inside: Any = None
        """What the simulation looks at or calls: a decider's runtime, a gateway's desk."""
        self._on_end = on_end
        self._loops: list[asyncio.Task[Any]] = []

    def parts(self, log: "SimulatedLog") -> Parts:
        return Parts(
            log,
            clock=self.clock,
            tasks=LoopTasks(self.loop),
            entropy=self.chance.randbytes,
            chance=self.chance.random,
            time=BrokerTime(self.clock),
        )

    @property
    def reachable(self) -> bool:
        return self.alive and not self.paused and not self.cut

    def start(self, build: Callable[["SimulatedProcess"], Process]) -> None:
        self.loop.create_task(self._run(build), context=self.context)

    async def _run(self, build: Callable[["SimulatedProcess"], Process]) -> None:
        try:
            self.product = build(self)
            for step in self.product.start:
                await step()
            self.started = True
            self._loops = [self.loop.create_task(_awaited(step)) for step in self.product.loops]
            done, _ = await asyncio.wait(self._loops, return_when=asyncio.FIRST_COMPLETED)
        except Exception as error:  # noqa: BLE001 - whatever it is, the process ends by it
            self._end(error)
        else:
            failed = [task.exception() for task in done if not task.cancelled()]
            self._end(failed[0] if failed else None)

    def _end(self, error: BaseException | None) -> None:
        if self.alive and not self.stopping:
            self._on_end(self, error)

    def terminate(self) -> None:
        """As on SIGTERM: the parts stop in their order, then the process is gone."""
        if self.alive and not self.stopping and self.started:
            self.stopping = True
            self.loop.create_task(self._terminate(), context=self.context)

    async def _terminate(self) -> None:
        assert self.product is not None
        await end(self._loops)
        for step in self.product.stop:
            try:
                async with asyncio.timeout(self.product.stop_seconds):
                    await step()
            except Exception:  # noqa: BLE001, S110 - as `bus.process` does it
                pass
        if self.alive:
            self._on_end(self, None)

    def kill(self) -> None:
        self.alive = False
        self.go_on()
        for die in self.at_death:
            die()
        for _, task in sorted(self.tasks.items()):
            task.cancel()

    def pause(self) -> None:
        self.paused = True

    def waits_at(self) -> set[Point]:
        """All places at which its tasks wait now."""
        return {point for task in self.tasks.values() for point in where(task)}

    @property
    def trials(self) -> int:
        """How many suspect partitions a decider's process works at the same time."""
        return sum(owner._suspicion._holds for owner in self.inside._owners.values())

    def owns(self, ledger: "Ledger") -> bool:
        """Whether a decider's process owns a partition, and has the newest claim to it."""
        owners = self.inside._owners if self.inside is not None and ledger.decider.name == self.kind else {}
        owner = owners.get(ledger.partition.partition)
        return owner is not None and owner.owning and owner._shard.fold.validity.owner == ledger.owner

    def go_on(self) -> None:
        self.paused = False
        parked, self.parked = self.parked, []
        self.loop.go_on(parked)

    def ended(self, task: "asyncio.Task[Any]") -> None:
        """Called by the loop for each task that is done."""
        self.tasks.pop(hash(task), None)
        if not task.cancelled():
            task.exception()


async def _awaited(step: Callable[[], Any]) -> None:
    await step()
