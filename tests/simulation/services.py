"""The product's processes as their own parts lists make them, on a simulated log; a gateway without its web server."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

from fastapi.routing import APIRoute
from redis.asyncio import Redis
from tests.simulation.cache import SimulatedLiveCache, Valkey
from tests.simulation.deadly import DeadlyTally
from tests.simulation.groups import SESSION_MS
from tests.simulation.log import SimulatedLog
from tests.simulation.processes import SimulatedProcess, elapse

import lobby.app
import table.app
import table.projector.app
import timer.app
from bus.clock import Clock
from bus.group_tail import GroupTail
from bus.health import Progress
from bus.parts import Parts
from bus.process import Process
from bus.records import TopicPartition
from bus.runtime import DeciderRuntime
from bus.sender import CommandSender
from bus.settings import BusSettings
from bus.tail import Tail
from contracts.api import Replay
from gateway.answers import Answers
from gateway.commands import Commands
from gateway.company import Company
from gateway.delay import Delay
from gateway.feed import Feed
from gateway.history import History
from gateway.hub import Hub
from gateway.identity import Identity
from gateway.live_cache import LiveCache
from gateway.outbox import Outbox
from gateway.past import Past
from gateway.public import Public
from gateway.queue import Lobby, queue_routes
from gateway.reading import Reading
from gateway.replays import replay_of
from gateway.session import Desk, Session
from gateway.tables import Tables
from gateway.whereabouts import Whereabouts
from table.decider import TableDecider
from table.settings import ProjectorSettings

REGION = "eu"
LEAVE_SECONDS = 0.3
PING_SECONDS = 1.0
SETTINGS = BusSettings.model_construct(kafka_bootstrap="", session_ms=SESSION_MS)


@contextmanager
def _with(module: ModuleType, **instead: Any) -> Iterator[None]:
    before = {name: getattr(module, name) for name in instead}
    for name, value in instead.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


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
            with _with(table.app, kafka_parts=of_log, TableDecider=lambda: tables, SNAPSHOT_SECONDS=every):
                return _decider(process, table.app.build(SETTINGS))
        case "tally":
            with _with(table.app, kafka_parts=of_log, TableDecider=partial(DeadlyTally, die), SNAPSHOT_SECONDS=every):
                return _decider(process, table.app.build(SETTINGS))
        case "lobby":
            with _with(lobby.app, kafka_parts=of_log, SNAPSHOT_SECONDS=every):
                return _decider(process, lobby.app.build(SETTINGS))
        case "timer":
            with _with(timer.app, kafka_parts=of_log, DECIDERS=("table", "lobby", "tally"), SNAPSHOT_SECONDS=every):
                return _timer(process, timer.app.build(SETTINGS))
        case "rival":
            with _with(
                timer.app,
                kafka_parts=of_log,
                DECIDERS=("table", "lobby", "tally"),
                GroupTail=_second_group,
                SNAPSHOT_SECONDS=every,
            ):
                return _timer(process, timer.app.build(SETTINGS))
        case "projector":
            settings = ProjectorSettings.model_construct(kafka_bootstrap="", session_ms=SESSION_MS, redis_url="")
            with _with(table.projector.app, kafka_parts=of_log, LiveCache=of_cache):
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


class _Redis:
    """As much of redis-py as the gateway's side of the live cache uses."""

    def __init__(self, valkey: Valkey, process: SimulatedProcess) -> None:
        self._valkey = valkey
        self._process = process

    async def get(self, key: str) -> str | None:
        return await self._valkey.get(self._process, key)

    async def aclose(self) -> None:
        await elapse(0.001)


class Connection:
    """A person's socket at a gateway: texts go in at once and come out through the gateway's own outbox. `trip` gives
    the seconds that a ping and its answer take."""

    def __init__(
        self,
        gateway: "SimulatedGateway",
        identity: Identity,
        hear: Callable[[str | None], None],
        trip: Callable[[], float],
    ) -> None:
        self._gateway = gateway
        self._process = gateway.simulated
        self._hear = hear
        self._outbox = Outbox()
        self._trip = trip
        self._delay = Delay(self._process.clock.monotonic)
        self._session = Session(identity, self._outbox, gateway.desk, self._delay.ms)
        self._process.at_death.append(self._gone)
        self._process.context.run(self._open)

    def _open(self) -> None:
        self._session.welcome()
        self._gateway.hub.join(self._session)
        self._draining = self._process.loop.create_task(self._drain(), context=self._process.context)
        self._pinging = self._process.loop.create_task(self._ping(), context=self._process.context)

    async def _ping(self) -> None:
        """As `gateway.pinging` does, of which each second here is five."""
        while True:
            self._delay.sent()
            await elapse(self._trip())
            self._delay.answered()
            await elapse(PING_SECONDS)

    async def _drain(self) -> None:
        """Until the gateway closes the connection."""
        await self._outbox.drain(self._send)
        if self._process.alive:
            self._process.at_death.remove(self._gone)
            self._leave()
            self._gone()

    async def _send(self, text: str) -> None:
        if self._process.alive:
            self._process.loop.outside(0.0, self._hear, text)
            await elapse(0.0002)

    def say(self, text: str) -> None:
        """One frame from the person."""
        if self._process.alive:
            self._process.context.run(self._session.frame, text)

    def _gone(self) -> None:
        self._process.loop.outside(0.05, self._hear, None)

    def close(self) -> None:
        if self._process.alive and not self._draining.done():
            self._process.at_death.remove(self._gone)
            self._process.context.run(self._close)

    def _close(self) -> None:
        self._leave()
        self._draining.cancel()

    def _leave(self) -> None:
        self._pinging.cancel()
        self._gateway.hub.leave(self._session)
        self._session.end()


class SimulatedGateway:
    """The gateway's parts behind its web server, as `gateway.app` puts them together."""

    def __init__(self, process: SimulatedProcess, log: SimulatedLog, valkey: Valkey) -> None:
        self.simulated = process
        self._log = log
        parts = process.parts(log)
        clock: Clock = parts.clock
        names = ("table", "lobby", "tally")
        self._senders: Mapping[str, CommandSender] = {name: CommandSender(log, name) for name in names}
        self._history = History(log, clock, parts.tasks)
        redis: Any = _Redis(valkey, process)
        self._cache = LiveCache(redis)
        self._past = past = Past(self._cache, self._history, lambda table_id: self._reading.origin(table_id))
        self.tables, whereabouts, answers = Tables(past, clock, parts.time, parts.tasks), Whereabouts(), Answers()
        self.hub = Hub(parts.chance)
        company = Company.of(Redis(), clock, parts.time, parts.tasks)  # nobody in it is in a private room
        public = Public.of(Redis(), REGION, company.names, parts)  # nor does anybody follow a public one
        feed = Feed(self.tables, whereabouts, answers, self.hub, public.region, company.rooms)
        self._reading = Reading(log, Tail(parts, feed, Progress(clock)))
        self._tallies = Tail(parts, feed, Progress(clock))
        self.commands = Commands(self._senders, answers)
        routes = queue_routes(Lobby(self.commands, REGION, clock), public.region.queue, parts.time).routes
        self.requests = {route.name: route.endpoint for route in routes if isinstance(route, APIRoute)}
        """What can be asked of the queue over HTTP, by the function's name: called with the request and who asks."""
        rooms = company.desk(self.tables, whereabouts, parts.tasks)
        self.desk = Desk(
            self.tables, whereabouts, self.commands, clock, parts.time, parts.tasks, rooms, public.followers
        )
        self.accepting = False

    def process(self) -> Process:
        starts = [sender.start for sender in self._senders.values()]
        stops = [self.tables.stop, self._history.stop, self._reading.stop, self._tallies.stop]
        return Process(
            name="gateway",
            start=(self._log.wait_for_brokers, *starts, self._reading.start, self._start_tallies),
            loops=(self._reading.run, self._read_tallies, self._accept),
            stop=(self._close, *stops, *(s.stop for s in self._senders.values()), self._cache.stop, self._log.close),
        )

    async def _start_tallies(self) -> None:
        count = await self._log.partition_count("tally.events")
        partitions = [TopicPartition("tally.events", number) for number in range(count)]
        await self._tallies.start(partitions, "gateway")
        for partition in partitions:
            await self._tallies.gain(partition)

    async def _read_tallies(self) -> None:
        while True:
            await self._tallies.step()

    async def _accept(self) -> None:
        await self._reading.caught_up.wait()
        self.accepting = True
        await asyncio.get_running_loop().create_future()

    async def _close(self) -> None:
        self.accepting = False
        await self.hub.close_all(LEAVE_SECONDS)

    def connect(self, identity: Identity, hear: Callable[[str | None], None], trip: Callable[[], float]) -> Connection:
        """`hear` gets every text, and None when the connection breaks."""
        return Connection(self, identity, hear, trip)

    async def replay(self, table_id: str, asker: Identity) -> Replay:
        """Raises what `gateway.replays.replay_of` and the reading of the log raise."""
        return replay_of(table_id, await self._past.outcomes(table_id), asker.account)

    async def within(self, work: Any, seconds: float) -> Any:
        """What a request into this process comes to. Raises TimeoutError when no answer comes: it is slow, or gone."""
        task = self.simulated.loop.create_task(work, context=self.simulated.context)
        await asyncio.wait([task], timeout=seconds)
        if task.done() and not task.cancelled():
            return task.result()
        task.cancel()
        raise TimeoutError
