"""The product's processes as their own parts lists make them, on a simulated log."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.simulation.cache import SimulatedLiveCache, Valkey
from tests.simulation.deadly import DeadlyTally
from tests.simulation.gateways import SimulatedGateway
from tests.simulation.groups import SESSION_MS
from tests.simulation.log import SimulatedLog
from tests.simulation.processes import SimulatedProcess
from tests.simulation.replacing import replaced

import lobby.app
import table.app
import table.projector.app
import timer.app
from bus.group_tail import GroupTail
from bus.parts import Parts
from bus.process import Process
from bus.runtime import DeciderRuntime
from bus.settings import BusSettings
from bus.tail import Tail
from table.decider import TableDecider
from table.settings import ProjectorSettings

SETTINGS = BusSettings.model_construct(kafka_bootstrap="", session_ms=SESSION_MS)


def build(
    process: SimulatedProcess, log: SimulatedLog, valkey: Valkey, die: Callable[[], None], tables: TableDecider
) -> Process:
    """The process of that kind; what the simulation looks into goes to `process.inside`. `die` ends it on the spot."""
    parts = process.parts(log)

    def of_log(_: object) -> tuple[Any, Any]:
        return log, parts

    def of_cache(_: str) -> SimulatedLiveCache:
        return SimulatedLiveCache(valkey, process)

    every = process.chance.uniform(1.0, 6.0)
    match process.kind:
        case "table":
            with replaced(table.app, kafka_parts=of_log, TableDecider=lambda: tables, SNAPSHOT_SECONDS=every):
                return _decider(process, table.app.build(SETTINGS))
        case "tally":
            with replaced(
                table.app, kafka_parts=of_log, TableDecider=partial(DeadlyTally, die), SNAPSHOT_SECONDS=every
            ):
                return _decider(process, table.app.build(SETTINGS))
        case "lobby":
            with replaced(lobby.app, kafka_parts=of_log, SNAPSHOT_SECONDS=every):
                return _decider(process, lobby.app.build(SETTINGS))
        case "timer":
            with replaced(timer.app, kafka_parts=of_log, DECIDERS=("table", "lobby", "tally"), SNAPSHOT_SECONDS=every):
                return _timer(process, timer.app.build(SETTINGS))
        case "rival":
            with replaced(
                timer.app,
                kafka_parts=of_log,
                DECIDERS=("table", "lobby", "tally"),
                GroupTail=_second_group,
                SNAPSHOT_SECONDS=every,
            ):
                return _timer(process, timer.app.build(SETTINGS))
        case "projector":
            settings = ProjectorSettings.model_construct(kafka_bootstrap="", session_ms=SESSION_MS, redis_url="")
            with replaced(table.projector.app, kafka_parts=of_log, LiveCache=of_cache):
                return table.projector.app.build(settings)
        case _:
            process.inside = gateway = SimulatedGateway(process, log, valkey)
            return gateway.process()


def _decider(process: SimulatedProcess, product: Process) -> Process:
    runtimes = [getattr(loop, "__self__", None) for loop in product.loops]
    process.inside = next(runtime for runtime in runtimes if isinstance(runtime, DeciderRuntime))
    return product


def _timer(process: SimulatedProcess, product: Process) -> Process:
    tails = [getattr(loop, "__self__", None) for loop in product.loops]
    process.inside = next(tail for tail in tails if isinstance(tail, GroupTail))
    return product


def _second_group(parts: Parts, tail: Tail, group: str, *arguments: Any, **named: Any) -> GroupTail:
    return GroupTail(parts, tail, f"{group}-rival", *arguments, **named)
