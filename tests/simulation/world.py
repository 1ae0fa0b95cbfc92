"""One whole run: processes, people, faults, and the checks after every step; one seed decides all of it."""

import asyncio
import random
import traceback
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.bus.tally import TallyDecider
from tests.simulation.aims import circumstances
from tests.simulation.attendance import Attendance
from tests.simulation.broker import Broker
from tests.simulation.cache import Valkey
from tests.simulation.faults import SECONDS, Fault, plan
from tests.simulation.gateways import SimulatedGateway
from tests.simulation.groups import Groups
from tests.simulation.keeping import keeping
from tests.simulation.lobbies import Lobbies
from tests.simulation.log import SimulatedLog
from tests.simulation.loop import SimulationLoop
from tests.simulation.people import Adder, Person
from tests.simulation.points import Point
from tests.simulation.processes import TIMERS, SimulatedProcess, elapse
from tests.simulation.result import Result
from tests.simulation.screens import Screen
from tests.simulation.seeking import PRESETS
from tests.simulation.services import build
from tests.simulation.told import Violation
from tests.simulation.trace import Trace
from tests.simulation.troubles import Troubles
from tests.simulation.truth import Truth
from tests.simulation.witness import Witness

from bus.decider import Decider
from bus.records import LogUnavailable, NewRecord, Record, TopicPartition
from contracts.api import Replay
from contracts.envelope import OutcomeBody
from lobby.decider import LobbyDecider
from table.decider import TableDecider

CALM_SECONDS = 4.0
"""People go on for so long after the last fault."""
KINDS = ("table", "tally", "lobby", "timer", "rival", "projector", "gateway")
TOPICS = ("commands", "events", "dead", "snapshots", "markers")
ACCIDENTS = (LogUnavailable, ConnectionError)
"""By which a process may end while the broker cannot be reached."""


class World:
    def __init__(self, seed: int, faults: Sequence[Fault] | None, keep_trace: bool) -> None:
        self.chance = random.Random(f"world {seed}")
        self.notes = random.Random(f"notes {seed}")
        self.loop = SimulationLoop(random.Random(f"order {seed}"))
        self.result = Result(seed)
        self.result.faults = list(plan(seed, KINDS) if faults is None else faults)
        self.trace = Trace(self.loop, keep=keep_trace)
        self.result.trace = self.trace.lines
        self.quiet = self.asleep = False
        """Whether nobody asks for anything new any more; whether people, not programs, do nothing just now."""
        self.circumstances = circumstances(seed)
        self.processes: dict[str, list[SimulatedProcess]] = {kind: [] for kind in KINDS}
        self._numbers: Counter[str] = Counter()
        self.trouble: BaseException | None = None
        self.tables = TableDecider(keeping(seed))
        self.preset = random.Random(f"preset {seed}").choice(PRESETS)
        """What people play most."""
        self.away_seconds = 4.0 if "soon away" in self.circumstances else 0.3
        """For so long people who do not play are without a connection, at most."""
        self.rated = random.Random(f"rated {seed}").random() < 0.3
        """Whether those of them who may wish for rated matches."""
        self.group: str | None = None
        """The name that somebody has told a friend of, to queue together."""
        self.invited: str | None = None
        """The code of a private room that somebody has told a friend of."""
        self.tables_offered = 0
        """Of how many nobody has heard who would have taken a seat."""
        self._build()

    def _build(self) -> None:
        chance = self.chance
        deciders: dict[str, Decider[Any, Any, Any]] = {
            "table": self.tables,
            "tally": TallyDecider(),
            "lobby": LobbyDecider(),
        }
        counts = {"table": chance.randint(1, 3), "tally": chance.randint(1, 3), "lobby": 1}
        if "poison" in self.circumstances:
            counts["tally"] = 3
        if "one pass" in self.circumstances:
            counts["table"] = 3
        topics = {f"{name}.{kind}": n for name, n in counts.items() for kind in TOPICS}
        topics["table.lifecycle"] = counts["table"]
        topics["timer.snapshots"] = max(counts.values())
        self.broker = Broker(self.loop, random.Random(chance.random()), topics)
        self.broker.crowded = "crowded" in self.circumstances
        self.groups = Groups(self.broker, random.Random(chance.random()))
        self.truth = Truth(self.broker, deciders)
        self.lobbies = Lobbies(self.truth)
        self.witness = Witness(self.truth)
        self.valkey = Valkey(self.broker)
        self.valkey.cold = "cold cache" in self.circumstances
        self.valkey.check = self.guarded(self.witness.cached)
        self.broker.seen.append(self.guarded(self._appended))
        self.troubles = Troubles(self)
        self.attendance = Attendance(self)
        self.loop.on_await = self._awaited
        self.loop.set_exception_handler(self._exception)

    # ---- what is seen

    def guarded(self, check: Any) -> Any:
        """`check`, whose violation ends the run without the product's noticing."""

        def checked(*arguments: Any) -> Any:
            try:
                return check(*arguments)
            except Violation as violation:
                self.report(violation)
            except Exception as error:  # noqa: BLE001 - a mistake of the simulation's own
                self._fail(error)

        return checked

    def report(self, violation: Violation) -> None:
        if self.result.violation is None:
            self.result.violation = str(violation)
            self.result.violated_at = self.loop.time()
            self.trace.add(f"VIOLATION {violation}")
        self.loop.stop()

    def _fail(self, error: BaseException) -> None:
        self.trouble = self.trouble or error
        self.loop.stop()

    def _exception(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Violation):
            self.report(error)
        elif error is not None and "handle" in context:
            self._fail(error)

    def _appended(self, record: Record) -> None:
        self.trace.record(record)
        if record.topic.endswith(".events"):
            ledger = self.truth.ledgers[TopicPartition(record.topic, record.partition)]
            told = ledger.judge(record)
            self.trace.explain(record, valid=told is not None)
            if told is not None:
                self.lobbies.check(told)
                self.troubles.settling.live(told, record)
        else:
            self.witness.appended(record)

    def _awaited(self, process: SimulatedProcess, points: list[Point]) -> None:
        seen = self.result.seen
        for point in points:
            seen[point] += 1
        self.troubles.reached(process, points)

    def _sending(self, process: SimulatedProcess, record: NewRecord) -> str | None:
        if process.kind in TIMERS and record.topic.endswith(".commands"):
            self.guarded(self.witness.rings)(record)
        return self.troubles.next(process, record)

    def heard(self, account: str, text: str) -> dict[str, Any]:
        message: dict[str, Any] = self.guarded(self.witness.heard)(account, text) or {"type": "nothing"}
        return message

    def answered(self, decider: str, account: str, body: OutcomeBody) -> None:
        self.guarded(self.witness.answer)(decider, account, body)

    def replayed(self, replay: Replay) -> None:
        self.guarded(self.witness.replayed)(replay)

    def retired_tables(self) -> set[str]:
        return {table_id for ledger in self.truth.ledgers.values() for table_id in ledger.retired}

    # ---- who is there

    def add(self, kind: str) -> SimulatedProcess:
        self._numbers[kind] += 1
        chance = random.Random(self.chance.random())
        process = SimulatedProcess(kind, self._numbers[kind], self.loop, chance, self._ended)
        self.processes[kind].append(process)
        self.trace.add(f"start {process.name}")
        process.start(self._build_product)
        return process

    def _build_product(self, process: SimulatedProcess) -> Any:
        log = SimulatedLog(self.broker, self.groups, process, self._sending)
        return build(process, log, self.valkey, lambda: self._poisoned(process), self.tables)

    def _ended(self, process: SimulatedProcess, error: BaseException | None) -> None:
        """A process is gone by itself: after SIGTERM, or while nobody answered it. Anything else is a violation."""
        self.trace.add(f"end {process.name} {type(error).__name__ if error else 'stopped'}")
        if error is not None and not isinstance(error, ACCIDENTS):
            self.report(Violation(f"processes go on: {process.name} ended by {type(error).__name__}: {error}"))
            if self.trace.keep:
                self.trace.lines.extend("".join(traceback.format_exception(error)).splitlines())
        self.remove(process)

    def _poisoned(self, process: SimulatedProcess) -> None:
        """It dies of what it decides."""
        self.trace.add(f"POISON {process.name}")
        self.result.injected["poisoned"] += 1
        if process.trials > 1:
            self.report(Violation(f"poison: {process.name} testifies against {process.trials} partitions at once"))
        for ledger in self.truth.ledgers.values():
            if ledger.tried_alone and process.owns(ledger) and not ledger.kills(ledger.next_command):
                self.report(Violation(f"poison: {process.name} testifies against another command than it dies of"))
        self.crash(process, ())

    def crash(self, process: SimulatedProcess, points: Sequence[Point]) -> None:
        """Kills it at `points`, and wherever else it waits."""
        self.result.aimed.update(points)
        self.result.cut.update(process.waits_at() | set(points))
        self.remove(process)

    def remove(self, process: SimulatedProcess, seconds: float = 0.0) -> None:
        """Kills it; another one is started soon after `seconds`."""
        if process not in self.processes[process.kind]:
            return
        self.processes[process.kind].remove(process)
        process.kill()
        self.loop.outside(seconds + 0.05 + 0.8 * self.chance.random() ** 2, self._replace, process.kind)

    def _replace(self, kind: str) -> None:
        self.add(kind)

    async def gateway(self) -> SimulatedGateway:
        """One that accepts connections."""
        while True:
            open_ones = [process for process in self.processes["gateway"] if process.reachable and process.started]
            found = [process.inside for process in open_ones if process.inside.accepting]
            if found:
                gateway: SimulatedGateway = self.chance.choice(found)
                return gateway
            await elapse(0.05)

    # ---- the run

    async def run(self) -> None:
        for kind in KINDS:
            for _ in range(self._number(kind)):
                self.add(kind)
        accounts = ["ann", "bob", "cid", "dee", "eve", "house-1", "house-2"]
        programs = {"house-1", "house-2", *(("dee", "cid") if "long waits" in self.circumstances else ())}
        people = [
            Person(self, name, random.Random(self.chance.random()), program=name in programs) for name in accounts
        ]
        adders = [Adder(self, n, random.Random(self.chance.random())) for n in range(1, 37)]
        living = [self.loop.create_task(one.live()) for one in people]
        living += [self.loop.create_task(one.live()) for one in adders]
        living.append(self.loop.create_task(Screen(self, random.Random(self.chance.random())).live()))
        for task in living:
            task.add_done_callback(self._lived)
        self.troubles.begin(self.result.faults)
        self.attendance.look()
        await elapse(SECONDS + 1)
        self.troubles.heal()
        await elapse(CALM_SECONDS)
        self.quiet = True
        try:
            await self.troubles.settling.settle()
        except Violation as violation:
            self.report(violation)
        for task in living:
            task.cancel()

    def _number(self, kind: str) -> int:
        """How many processes there are. One alone has to do with all commands that kill."""
        if kind == "tally" and "poison" in self.circumstances:
            return 1
        if kind == "rival" and "two timers" not in self.circumstances:
            return 0
        two = kind in ("table", "tally", "gateway") or "pairs" in self.circumstances
        return 2 if two else self.chance.randint(1, 2)

    def _lived(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    def bury(self) -> None:
        """Ends what still runs, so that nothing of this run outlives it."""
        self.loop.on_await = None
        self.broker.seen.clear()
        for _ in range(200):
            there = [process for of_kind in self.processes.values() for process in of_kind]
            for process in there:
                process.alive = False
                process.go_on()
            tasks = [task for task in asyncio.all_tasks(self.loop) if not task.done()]
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            self.loop.outside(1.0, self.loop.stop)
            self.loop.run_forever()
        self.loop.close()
