"""Runs one process of ours: telemetry, health port, its loops, and an orderly end on SIGTERM or SIGINT."""

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import uvloop
from pydantic import ValidationError

from bus import telemetry
from bus.health import Check, HealthServer, Progress
from bus.settings import ProcessSettings
from bus.tasks import end

log = logging.getLogger(__name__)
Step = Callable[[], Awaitable[None]]
Settings = TypeVar("Settings", bound=ProcessSettings)

FULL_COLLECTION_AFTER = 1000
"""So many collections of what is younger come before one of everything; Python's own choice is ten."""


@dataclass(frozen=True, slots=True)
class Process:
    """The parts of a process. `start` runs in order, `loops` run side by side until one ends or a signal comes, `stop`
    runs in order, each within `stop_seconds`. A loop that ends or raises ends the process with status 1."""

    name: str
    loops: tuple[Step, ...]
    start: tuple[Step, ...] = ()
    stop: tuple[Step, ...] = ()
    progress: Mapping[str, Progress] = field(default_factory=dict)
    checks: Mapping[str, Check] = field(default_factory=dict)
    stop_seconds: float = 10.0


def main(name: str, settings_type: Callable[[], Settings], build: Callable[[Settings], Process]) -> None:
    """Reads the settings, builds the process inside a running loop, runs it and exits."""
    try:
        settings = settings_type()
    except ValidationError as error:
        missing = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False))
        sys.exit(f"{name}: the environment is not complete: {missing}")
    telemetry.start(name, settings.otlp_endpoint, settings.traces_sampled)
    sys.exit(uvloop.run(_run(settings, build)))


async def _run(settings: Settings, build: Callable[[Settings], Process]) -> int:
    process = build(settings)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    health = HealthServer(process.progress, process.checks)
    await health.start(settings.health_port, settings.health_host)
    status = 0
    try:
        if await _started(stopping, process):
            _settle_memory()
            health.started = True
            status = await _until(stopping, process)
    except Exception:
        log.exception("%s could not go on", process.name)
        status = 1
    for step in process.stop:
        await _bounded(step, process)
    await health.stop()
    return status


async def _started(stopping: asyncio.Event, process: Process) -> bool:
    """Whether all parts came up before a signal came; raises what a part raises."""
    starting = asyncio.create_task(_run_steps(process.start))
    signalled = asyncio.create_task(_run_step(stopping.wait))
    done, _ = await asyncio.wait([starting, signalled], return_when=asyncio.FIRST_COMPLETED)
    await end([starting, signalled])
    if starting in done:
        starting.result()
    return starting in done


def _settle_memory() -> None:
    """What was imported and built lives as long as the process: a full collection need not look at it again, which
    would stop the loop for 40 ms and more. Nor need it look often at what a process keeps of its aggregates: those are
    values without cycles, and with 20,000 of them awake each look takes 300 ms."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_AFTER)


async def _until(stopping: asyncio.Event, process: Process) -> int:
    loops = [asyncio.create_task(_run_step(step)) for step in process.loops]
    signalled = asyncio.create_task(_run_step(stopping.wait))
    done, _ = await asyncio.wait([*loops, signalled], return_when=asyncio.FIRST_COMPLETED)
    failed = [task for task in done if task is not signalled]
    for task in failed:
        if task.cancelled():
            log.error("%s: a loop was cancelled, and by nobody here", process.name)
        elif task.exception() is not None:
            log.error("%s: a loop ended", process.name, exc_info=task.exception())
    await end([*loops, signalled])
    return 1 if failed else 0


async def _run_step(step: Callable[[], Awaitable[object]]) -> None:
    await step()


async def _run_steps(steps: Sequence[Step]) -> None:
    for step in steps:
        await step()


async def _bounded(step: Step, process: Process) -> None:
    try:
        async with asyncio.timeout(process.stop_seconds):
            await step()
    except (Exception, asyncio.CancelledError):  # a client's stop may end as if we were cancelled (`bus.kafka.client`)
        log.exception("%s: a part did not stop in time", process.name)
