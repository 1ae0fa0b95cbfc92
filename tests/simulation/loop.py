"""An asyncio loop without real time: one source of chance decides who runs next, and time passes only when nobody can.

Every handle, task and future is numbered in the order of its making and hashes by that number, so that sets of them
are walked through in the same order on every machine.
"""

import asyncio
import contextvars
import heapq
import random
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from tests.simulation.points import Point, where

if TYPE_CHECKING:
    from tests.simulation.processes import SimulatedProcess

PROCESS: "contextvars.ContextVar[SimulatedProcess | None]" = contextvars.ContextVar("process", default=None)
OUTSIDE = contextvars.Context()
"""Of what belongs to no process: the broker, the people."""


class Stuck(Exception):
    """Nobody can run and nothing is due: the simulation would wait for ever."""


class NumberedFuture(asyncio.Future[Any]):
    def __init__(self, *, loop: "SimulationLoop") -> None:
        super().__init__(loop=loop)
        self._number = loop.number()

    def __hash__(self) -> int:
        return self._number


class NumberedTask(asyncio.Task[Any]):
    """Known to its process until it is done."""

    def __init__(self, work: Coroutine[Any, Any, Any], loop: "SimulationLoop", **options: Any) -> None:
        self.number = loop.number()
        super().__init__(work, loop=loop, **options)
        context: contextvars.Context | None = options.get("context")
        process = context.get(PROCESS) if context is not None else PROCESS.get()
        if process is not None:
            process.tasks[self.number] = self
            self.add_done_callback(process.ended)

    def __hash__(self) -> int:
        return self.number


class SimulationLoop(asyncio.BaseEventLoop):
    """`paused` processes' handles are put aside until they go on; `on_await` is told where a live process waits."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._chance = chance.random
        self._now = 0.0
        self._numbers = 0
        self.steps = 0
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self.on_await: Callable[[SimulatedProcess, list[Point]], None] | None = None
        self.set_task_factory(_make_task)

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    def time(self) -> float:
        return self._now

    def work(self) -> float:
        """The time now; asking takes some, now and then a slice's worth, as work does between two looks at a clock."""
        drawn = self._chance()
        self._now += drawn * 0.00002 if drawn > 0.003 else 0.010
        return self._now

    def create_future(self) -> NumberedFuture:
        return NumberedFuture(loop=self)

    def call_at(  # type: ignore[override]  # typeshed's is generic in the arguments
        self, when: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, self.number(), timer))
        return timer

    def _run_once(self) -> None:
        ready, timers = self._ready, self._timers
        if not ready:
            while timers and timers[0][2]._cancelled:
                heapq.heappop(timers)
            if not timers:
                raise Stuck
            self._now = max(self._now, timers[0][0])
        while timers and timers[0][0] <= self._now:
            due = heapq.heappop(timers)[2]
            if not due._cancelled:
                ready.append(due)
        if ready:
            at = int(self._chance() * len(ready))
            handle = ready[at]
            ready[at] = ready[-1]
            ready.pop()
            self._run_handle(handle)

    def _run_handle(self, handle: asyncio.Handle) -> None:
        if handle._cancelled:
            return
        process = handle._context.get(PROCESS)  # type: ignore[attr-defined]  # asyncio's own
        if process is None:
            handle._run()
            return
        if process.paused:
            process.parked.append(handle)
            return
        self.steps += 1
        handle._run()
        callback = handle._callback  # type: ignore[attr-defined]
        task = getattr(callback, "__self__", None)
        if process.alive and self.on_await is not None and isinstance(task, NumberedTask) and not task.done():
            self.on_await(process, where(task))

    def go_on(self, handles: list[asyncio.Handle]) -> None:
        """Handles that were put aside may run again."""
        self._ready.extend(handles)

    def _write_to_self(self) -> None:
        """There is nobody to wake: what is put away while it runs is seen to before time passes."""

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Cancelled timers are dropped when their time comes."""

    def outside(self, seconds: float, what: Callable[..., object], *arguments: Any) -> asyncio.TimerHandle:
        """Calls `what` later, on nobody's behalf."""
        return self.call_later(seconds, what, *arguments, context=OUTSIDE)


def _make_task(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> "asyncio.Task[Any]":
    assert isinstance(loop, SimulationLoop)
    return NumberedTask(work, loop, **options)
