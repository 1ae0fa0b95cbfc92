"""Who uses the product: people at tables, programs that add numbers, and a few who do it wrong."""

import json
import random
from collections import deque
from typing import TYPE_CHECKING, Any, Literal

from tests.bus.tally import Add, Arm, Explode
from tests.simulation.gateways import REGION, Connection, SimulatedGateway
from tests.simulation.processes import elapse
from tests.simulation.seeking import ASK_SECONDS, Seeker

from contracts.message import Message
from contracts.queue_api import FollowRoom
from gateway.commands import Command, Unanswered
from gateway.history import PastUnavailable
from gateway.identity import Identity
from gateway.problems import ProblemError

if TYPE_CHECKING:
    import asyncio

    from tests.simulation.world import World

AGAIN_SECONDS = 5.0
PATIENCE_SECONDS = 1.5
"""Of a program."""


class Nonsense(Message):
    type: Literal["nonsense"] = "nonsense"


class Person:
    """Queues, sits down, plays, sometimes dawdles, leaves or resigns, and repeats whatever was not answered. A
    `program` does the same and never sleeps."""

    def __init__(self, world: "World", account: str, chance: random.Random, *, program: bool) -> None:
        self._world = world
        self._chance = chance
        self._identity = Identity(account, REGION, bot=program, house=account.startswith("house"))
        self._mail: deque[str | None] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._connection: Connection | None = None
        self._table: str | None = None
        self.version = 0
        self._view: dict[str, Any] | None = None
        self._asked: dict[str, tuple[str, float]] = {}
        self._count = 0
        self._ended: str | None = None
        self._mood = chance.random()
        self._seeker = Seeker(world, self._identity, chance, self._mood, self._next_id)
        self._line = 0.9 * chance.random() ** 2 + 0.005
        """Seconds that a ping mostly takes."""

    async def live(self) -> None:
        while True:
            gateway = await self._world.gateway()
            self._connection = gateway.connect(self._identity, self._heard, self._trip)
            if self._chance.random() < 0.5:
                self._say(FollowRoom(preset=self._world.preset).model_dump_json())
            if self._table is not None:
                self._watch(self._table)
            for text, _ in list(self._asked.values()):
                self._connection.say(text)
            await self._stay(gateway)
            self._connection = None
            away = 0.3 if self._table is not None else self._world.away_seconds
            await elapse(0.05 + away * self._chance.random())

    def _trip(self) -> float:
        return self._line * (1.0 if self._chance.random() < 0.9 else 4.0 * self._chance.random())

    def _heard(self, text: str | None) -> None:
        self._mail.append(text)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _stay(self, gateway: SimulatedGateway) -> None:
        """Until the connection breaks; now and then the person breaks it off."""
        while True:
            while self._mail:
                text = self._mail.popleft()
                if text is None:
                    return
                self._take(self._world.heard(self._identity.account, text))
            if self._ended is not None:
                await self._look_back(gateway)
            if self._world.quiet or (self._world.asleep and not self._identity.bot):
                pass
            elif self._table is None:
                await self._seeker.seek(gateway)
                await self._pause(1.0)
            else:
                self._act()
            await self._pause(0.03 + 0.15 * self._chance.random() ** 2)
            breaks = 0.003 if self._table is not None else 0.03
            if self._chance.random() < breaks and self._connection is not None:
                self._connection.close()
                return

    async def _pause(self, seconds: float) -> None:
        loop = self._world.loop
        self._waiting = loop.create_future()
        timer = loop.call_later(seconds, self._wake)
        await self._waiting
        timer.cancel()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _next_id(self) -> str:
        self._count += 1
        return f"{self._identity.account}-{self._count}"

    async def _look_back(self, gateway: SimulatedGateway) -> None:
        """At a match that has come to its end."""
        table_id, self._ended = self._ended, None
        assert table_id is not None
        try:
            replay = await gateway.within(gateway.replay(table_id, self._identity), ASK_SECONDS)
        except (ProblemError, PastUnavailable, TimeoutError):
            return
        self._world.replayed(replay)

    # ---- the table

    def _watch(self, table_id: str) -> None:
        assert self._connection is not None
        self._connection.say(json.dumps({"type": "watch", "table_id": table_id, "version": self.version}))

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome" | "your-table":
                tables = message["tables"] if message["type"] == "welcome" else [message]
                if tables and self._table is None:
                    self._table, self.version, self._view = tables[-1]["table_id"], 0, None
                    self._seeker.seated()
                    self._watch(tables[-1]["table_id"])
            case "view":
                self._see(message)
            case "answer":
                self._asked.pop(message["id"], None)
            case "error" if self._table in self._world.retired_tables():
                self._table, self.version, self._view = None, 0, None
                self._asked.clear()
            case "error":
                if message["code"] in ("table-unavailable", "unknown-table") and self._table is not None:
                    self._world.loop.outside(0.5, self._look_again, self._table)
                elif message["id"] is not None and message["code"] not in ("unknown-result", "too-many-requests"):
                    self._asked.pop(message["id"], None)

    def _look_again(self, table_id: str) -> None:
        if self._connection is not None and self._table == table_id:
            self._watch(table_id)

    def _see(self, message: dict[str, Any]) -> None:
        if message["table_id"] != self._table or message["version"] < self.version:
            return
        self.version, self._view = message["version"], message["view"]
        if self._view is not None and self._view["status"] in ("finished", "expired"):
            self._ended = self._table if self._view["status"] == "finished" else None
            self._table, self.version, self._view = None, 0, None
            self._asked.clear()

    def _act(self) -> None:
        view, now = self._view, self._world.loop.time()
        for command_id, (text, said_at) in list(self._asked.items()):
            if now - said_at > AGAIN_SECONDS:
                self._asked[command_id] = (text, now)
                self._say(text)
        if view is None or view["you"] is None or self._asked:
            return
        wanted = self._wish(view, view["seats"][view["you"] - 1])
        if wanted is not None and self._chance.random() < 0.9:
            self._ask(wanted)

    def _wish(self, view: dict[str, Any], me: dict[str, Any]) -> dict[str, Any] | None:
        drawn = self._chance.random()
        if me["left"]:
            return {"type": "return-to-seat"} if drawn < 0.05 else None
        if view["status"] == "waiting":
            return {"type": "sit-down"} if not me["seated"] and (drawn < 0.3 or self._mood > 0.2) else None
        if view["status"] == "pausing":
            return {"type": "next-round", "round": view["round"]} if not me["ready"] and drawn < 0.5 else None
        if drawn < 0.002:
            return {"type": "leave-table"}
        if drawn < 0.003:
            return {"type": "resign"}
        if view["to_move"] != view["you"] or (self._mood < 0.15 and drawn < 0.97):
            return None
        if drawn > 0.98:
            return {"type": "pass-turn", "turn": view["turn"]}
        return self._move(view)

    def _move(self, view: dict[str, Any]) -> dict[str, Any]:
        chosen = self._chance.choice(view["legal"])
        if chosen in ("draw", "pass"):
            return {"type": "draw-tiles" if chosen == "draw" else "pass-turn", "turn": view["turn"]}
        tile, end = chosen.split("@")
        return {"type": "play-tile", "turn": view["turn"], "tile": tile, "end": end}

    def _ask(self, command: dict[str, Any]) -> None:
        command_id = self._next_id()
        text = json.dumps({"type": "command", "id": command_id, "table_id": self._table, "command": command})
        self._asked[command_id] = (text, self._world.loop.time())
        self._say(text)
        if self._chance.random() < 0.03:
            self._say(text)

    def _say(self, text: str) -> None:
        if self._connection is not None:
            self._connection.say(text)


class Adder:
    """Adds numbers and sets alarms at its own tallies, several commands at a time, each until it is answered."""

    def __init__(self, world: "World", number: int, chance: random.Random) -> None:
        self._world = world
        self._chance = chance
        self._name = f"adder-{number}"
        self._identity = Identity("tester" if number % 2 else self._name, REGION)
        self._tallies = [f"sum-{number}-{n}" for n in range(12)]
        self._count = 0

    async def live(self) -> None:
        while not self._world.quiet:
            burst = 16 if self._chance.random() < 0.3 else 6
            asking = [self._world.loop.create_task(self._ask()) for _ in range(self._chance.randint(1, burst))]
            for task in asking:
                await task
            await elapse(0.1 * self._chance.random() ** 2)

    def _wish(self) -> Message:
        drawn = self._chance.random()
        if drawn < 0.8:
            return Add(number=self._chance.randint(0, 9))
        if drawn < 0.92:
            return Arm(milliseconds=self._chance.randint(50, 3000))
        if drawn < 0.97:
            return Add(number=-1)
        return Explode() if drawn < 0.985 else Nonsense()

    async def _ask(self) -> None:
        self._count += 1
        aggregate = self._chance.choice(self._tallies)
        command = Command("tally", aggregate, self._identity, f"{self._name}-{self._count}", self._wish())
        while True:
            gateway = await self._world.gateway()
            try:
                body = await gateway.within(gateway.commands.ask(command, PATIENCE_SECONDS), PATIENCE_SECONDS + 1)
            except (Unanswered, TimeoutError):
                await elapse(0.1)
            else:
                self._world.answered("tally", self._identity.account, body)
                return
