"""Makes the planned faults happen."""

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.simulation.damage import damage
from tests.simulation.faults import MINUTES, SENDERS, Fault
from tests.simulation.intruders import Intruders
from tests.simulation.points import Point
from tests.simulation.processes import TIMERS, SimulatedProcess
from tests.simulation.settling import Settling

from bus.records import NewRecord, TopicPartition

if TYPE_CHECKING:
    from tests.simulation.world import World


@dataclass(slots=True, eq=False)
class _Armed:
    fault: Fault
    left: int


class Troubles:
    def __init__(self, world: "World") -> None:
        self._world = world
        self._chance = random.Random(world.chance.random())
        self._armed: dict[Point, list[_Armed]] = {}
        self._sends: dict[str, deque[Fault]] = {sender: deque() for sender in SENDERS}
        self._over = False
        self._intruders = Intruders(world, random.Random(world.chance.random()))
        self.settling = Settling(world)

    def begin(self, faults: list[Fault]) -> None:
        for fault in faults:
            self._world.loop.outside(fault.at, self._due, fault)

    def _due(self, fault: Fault) -> None:
        if self._over:
            return
        if fault.point is not None:
            self._armed.setdefault(fault.point, []).append(_Armed(fault, fault.nth))
        elif fault.kind == "send":
            self._sends[fault.target.split()[0]].append(fault)
        else:
            self._happen(fault, None)

    def reached(self, process: SimulatedProcess, points: list[Point]) -> None:
        """A process waits at `points`; what is armed at one of them happens to it."""
        for point in points:
            armed = self._armed.get(point)
            if not armed:
                continue
            waiting = next((one for one in armed if one.fault.target in ("", process.kind)), None)
            if waiting is None:
                continue
            waiting.left -= 1
            if waiting.left <= 0:
                armed.remove(waiting)
                self._happen(waiting.fault, process, points)
                return

    def next(self, process: SimulatedProcess, record: NewRecord) -> str | None:
        """What happens to the record that the process is about to send."""
        sort = record.topic.rpartition(".")[2]
        waiting = self._sends[sort if sort in ("events", "commands") else "other"]
        if sort == "commands" and self._sends.get(process.kind):
            waiting = self._sends[process.kind]
        if not waiting:
            return None
        fault = waiting.popleft()
        self._note(fault, process)
        return fault.target.split()[1]

    def _note(self, fault: Fault, process: SimulatedProcess | None) -> None:
        if process is not None:
            process.troubled_at = self._world.loop.time()
        result = self._world.result
        result.injected[fault.kind if fault.kind != "send" else f"send {fault.target.split()[1]}"] += 1
        self._world.trace.add(f"FAULT {fault} {process.name if process is not None else ''}")

    # ---- one by one

    def _happen(self, fault: Fault, process: SimulatedProcess | None, points: Sequence[Point] = ()) -> None:
        world = self._world
        if process is None and fault.target in world.processes:
            there = [found for found in world.processes[fault.target] if found.alive]
            if not there:
                return
            process = self._chance.choice(there)
        self._note(fault, process)
        match fault.kind, process:
            case "kill", SimulatedProcess():
                world.crash(process, points)
            case "terminate", SimulatedProcess():
                process.terminate()
            case "pause", SimulatedProcess():
                self._pause(process, fault.seconds)
            case "cut", SimulatedProcess():
                self._cut(process, fault.seconds)
            case "expel", SimulatedProcess():
                for _, group in sorted(world.groups.groups.items()):
                    group.expel(process)
                world.loop.outside(self._chance.random(), self._heard_again, process)
            case "rebalance", _:
                self._rebalance(fault, process)
            case "step-broker", _:
                world.broker.step(int(fault.seconds * 1000))
            case "step-process", SimulatedProcess():
                process.clock.skew += fault.seconds
            case "flush-cache", _:
                world.valkey.flush()
            case "cache-away", _:
                world.valkey.away = True
                world.loop.outside(fault.seconds, self._cache_back)
            case "snapshots", _:
                damage(world.broker, self._chance, fault.target)
            case "late-leader", _:
                self._late_leader(fault)
            case "pass", _:
                world.broker.let_pass(int(fault.seconds * 1000))
            case "night", _:
                world.asleep = True
                world.loop.outside(fault.seconds, self._morning)
            case "late-timers", _:
                self._late_timers(fault)
            case "stranger" | "zombie" | "doubled-timeout" | "early-timeout" | "poison" | "skip", _:
                self._intruders.write(fault.kind, fault.target)

    def _pause(self, process: SimulatedProcess, seconds: float) -> None:
        if process.alive and not process.paused:
            process.pause()
            self._world.groups.note_silence(process)
            self._world.loop.outside(seconds, self._go_on, process)

    def _go_on(self, process: SimulatedProcess) -> None:
        if process.paused:
            process.go_on()
            if process.reachable:
                self._world.groups.note_return(process)

    def _cut(self, process: SimulatedProcess, seconds: float) -> None:
        if process.alive and not process.cut:
            process.cut = True
            self._world.groups.note_silence(process)
            self._world.loop.outside(seconds, self._join_up, process)

    def _join_up(self, process: SimulatedProcess) -> None:
        process.cut = False
        if process.reachable:
            self._world.groups.note_return(process)

    def _heard_again(self, process: SimulatedProcess) -> None:
        if process.reachable:
            self._world.groups.note_return(process)

    def _rebalance(self, fault: Fault, process: SimulatedProcess | None) -> None:
        for name, group in sorted(self._world.groups.groups.items()):
            if name == fault.target or (process is not None and any(m.process is process for m in group.members)):
                group.rebalance()

    def _late_timers(self, fault: Fault) -> None:
        """All timers stand still or are gone for a while, in which ten minutes pass."""
        for kind in TIMERS:
            for process in list(self._world.processes[kind]):
                if fault.target == "pause":
                    self._pause(process, fault.seconds)
                else:
                    self._world.remove(process, fault.seconds)
        self._world.loop.outside(fault.seconds / 2, self._world.broker.let_pass, int(MINUTES * 1000))

    def _morning(self) -> None:
        self._world.asleep = False

    def _cache_back(self) -> None:
        self._world.valkey.away = False

    def _late_leader(self, fault: Fault) -> None:
        """For a while the new leader of a decider's partition tells of earlier ends than there are."""
        broker = self._world.broker
        number = self._chance.randrange(broker.topics[f"{fault.target}.events"])
        for topic in (f"{fault.target}.events", f"{fault.target}.commands"):
            partition = TopicPartition(topic, number)
            broker.told_ends[partition] = int(broker.end(partition) * self._chance.random())
            self._world.loop.outside(fault.seconds, broker.told_ends.pop, partition, None)

    def heal(self) -> None:
        """No more faults: who stands still goes on, and everybody reaches everybody."""
        self._over = True
        self._armed.clear()
        for waiting in self._sends.values():
            waiting.clear()
        self._world.broker.told_ends.clear()
        self._world.valkey.away = False
        for there in self._world.processes.values():
            for process in there:
                process.cut = False
                if process.paused:
                    process.go_on()
                self._world.groups.note_return(process)
