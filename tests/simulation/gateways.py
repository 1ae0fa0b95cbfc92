"""A gateway's parts without its web server, on a simulated log and a Valkey in memory."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter
from tests.simulation.cache import SimulatedPresence, SimulatedRedis, Valkey
from tests.simulation.log import SimulatedLog
from tests.simulation.processes import SimulatedProcess, elapse
from tests.simulation.replacing import replaced

import gateway.public
from bus.clock import Clock
from bus.health import Progress
from bus.process import Process, Step
from bus.records import TopicPartition
from bus.sender import CommandSender
from bus.tail import Tail
from contracts.api import Replay
from contracts.room import CODE_LETTERS
from gateway.absences import Absences
from gateway.answers import Answers
from gateway.commands import Commands
from gateway.company import Company
from gateway.delay import Delay
from gateway.feed import Feed
from gateway.history import History
from gateway.hub import Hub
from gateway.identity import Identity
from gateway.links import Links
from gateway.live_cache import LiveCache
from gateway.outbox import Outbox
from gateway.pace import Pace
from gateway.past import Past
from gateway.public import Public
from gateway.queue import Lobby
from gateway.reading import Reading
from gateway.replays import replay_of
from gateway.room_codes import RoomCodes
from gateway.room_commands import RoomCommands
from gateway.room_places import RoomPlaces
from gateway.room_routes import room_routes
from gateway.session import Desk, Session
from gateway.tables import Tables
from gateway.whereabouts import Whereabouts

REGION = "eu"
LEAVE_SECONDS = 0.3
PING_SECONDS = 1.0
CODES = 16
"""So few, that many a one is taken, and that rooms get one that another room had."""


class FewCodes(RoomCodes):
    def __init__(self) -> None:
        super().__init__(b"simulated")

    def of(self, account: str, command_id: str, attempt: int) -> str:
        drawn = super().of(account, command_id, attempt)
        return "RRRRR" + CODE_LETTERS[CODE_LETTERS.index(drawn[0]) % CODES]


class Unaddressed:
    """In place of `gateway.client_address`: requests come from nowhere."""

    def of(self, _: object) -> str:
        return ""


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
        redis: Any = SimulatedRedis(valkey, process)
        presence = SimulatedPresence(valkey, process)
        self._cache = LiveCache(redis)
        self._past = past = Past(self._cache, self._history, lambda table_id: self._reading.origin(table_id))
        self.tables, whereabouts, answers = Tables(past, clock, parts.time, parts.tasks), Whereabouts(), Answers()
        self.hub = Hub(parts.chance)
        company = Company.of(redis, clock, parts.time, parts.tasks)
        with replaced(gateway.public, Presence=lambda *_: presence):
            public = Public.of(redis, REGION, company.names, parts)
        feed = Feed(self.tables, whereabouts, answers, self.hub, public.region, company.rooms)
        self._reading = Reading(log, Tail(parts, feed, Progress(clock)))
        self._tallies = Tail(parts, feed, Progress(clock))
        self.commands = Commands(self._senders, answers)
        lobby = Lobby(self.commands, REGION)
        room_commands = RoomCommands(self.commands, company.rooms, FewCodes(), REGION)
        addresses: Any = Unaddressed()
        self.requests: dict[str, Any] = {}
        """What can be asked over HTTP, by the function's name: called with the request and who asks."""
        with replaced(APIRouter, add_api_route=self._note_route):
            public.routes(lobby, whereabouts, company.merged)
            room_routes(company.rooms, company.admission, room_commands, addresses, Links("https://capicua.example"))
        desk = company.desk(self.tables, whereabouts, parts.tasks)
        self.desk = Desk(
            self.tables, whereabouts, self.commands, clock, parts.time, parts.tasks, desk, public.followers, Pace(clock)
        )
        in_rooms = RoomPlaces(company.rooms, self.hub)
        self._absences = (
            public.absences(self.hub, lobby, parts),
            Absences(in_rooms, self.hub, presence, room_commands.note, clock, parts.time, parts.tasks),
        )
        self._looks: tuple[Step, ...] = (*public.loops(self.hub, self._absences[0], parts), self._absences[1].run)
        self.accepting = False

    def _note_route(self, _path: str, asked: Any, **_: Any) -> None:
        """In place of what FastAPI makes of a route for its web server: that takes a fifth of a run."""
        self.requests[asked.__name__] = asked

    def process(self) -> Process:
        starts = [sender.start for sender in self._senders.values()]
        ends = [self.tables.stop, self._history.stop, self._reading.stop, self._tallies.stop]
        stops = [*(absences.stop for absences in self._absences), *ends]
        return Process(
            name="gateway",
            start=(self._log.wait_for_brokers, *starts, self._reading.start, self._start_tallies),
            loops=(self._reading.run, self._read_tallies, self._accept, *map(self._when_caught_up, self._looks)),
            stop=(self._close, *stops, *(s.stop for s in self._senders.values()), self._cache.stop, self._log.close),
        )

    def _when_caught_up(self, loop: Step) -> Step:
        async def run() -> None:
            await self._reading.caught_up.wait()
            await loop()

        return run

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
        return replay_of(table_id, await self._past.outcomes(table_id), {asker.account})

    async def within(self, work: Any, seconds: float) -> Any:
        """What a request into this process comes to. Raises TimeoutError when no answer comes: it is slow, or gone."""
        task = self.simulated.loop.create_task(work, context=self.simulated.context)
        await asyncio.wait([task], timeout=seconds)
        if task.done() and not task.cancelled():
            return task.result()
        task.cancel()
        raise TimeoutError
