"""How people come to a table: by the queue, alone or with friends, at a table that somebody offers, or in a private
room."""

import random
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

from tests.simulation.gateways import SimulatedGateway

from contracts.api import LeaveQueueRequest, QueueRequest, StandByRequest
from contracts.queue_api import BotsRequest, OfferTableRequest, SeatRequest, TableMade, WidenRequest, WishedPool
from contracts.region import Preset
from contracts.room import (
    ArrangeSeats,
    ChooseRuleset,
    EnterRoom,
    HandOver,
    LeaveRoom,
    PersonInRoomCommand,
    RemovePerson,
    RoomSeat,
    StartMatch,
)
from contracts.room_api import OpenRoomRequest, PrivateRoom, RoomMade, RoomRequest
from domino_rules.public_play import PUBLIC_TARGETS
from gateway.identity import Identity
from gateway.problems import ProblemError

if TYPE_CHECKING:
    from tests.simulation.world import World

ASK_SECONDS = 6.0
PRESETS: tuple[Preset, ...] = ("draw", "block", "duel-draw", "all-fives", "party")
GONE = ("unknown-code", "unknown-room", "room-closed", "not-in-room", "removed", "room-full")
"""Why a private room is no place for somebody any more."""
UNANSWERED = ("unknown-result", "too-many-requests", "codes-unavailable")
Ask = Callable[[SimulatedGateway, str], Awaitable[Any]]


class Seeker:
    """Wishes for one thing at a time, and repeats what was not answered, with its id and wherever the person is. Often
    enough what is wished for cannot be had."""

    def __init__(
        self, world: "World", identity: Identity, chance: random.Random, mood: float, next_id: Callable[[], str]
    ) -> None:
        self._world = world
        self._identity = identity
        self._chance = chance
        self._mood = mood
        self._next_id = next_id
        self._wish: tuple[str, Ask] | None = None
        self._waits = False
        self._code: str | None = None
        """Of the private room that the person is in."""

    def seated(self) -> None:
        self._waits = False

    async def seek(self, gateway: SimulatedGateway) -> None:
        """Asks for what was asked for without an answer, or for something new."""
        if self._wish is None:
            ask = await self._drawn(gateway)
            self._wish = (self._next_id(), ask) if ask is not None else None
        if self._wish is None:
            return
        command_id, ask = self._wish
        try:
            answer = await gateway.within(ask(gateway, command_id), ASK_SECONDS)
        except TimeoutError:
            return
        except ProblemError as error:
            if error.problem.code not in UNANSWERED:
                self._wish = None
                self._refused(error.problem.code)
        else:
            self._wish = None
            self._granted(answer)

    def _granted(self, answer: Any) -> None:
        if isinstance(answer, RoomMade):
            self._code = answer.code
            self._world.invited = answer.code
            self._world.valkey.paired = answer.code
        if isinstance(answer, TableMade):
            self._world.tables_offered += 1

    def _refused(self, code: str) -> None:
        if code in GONE:
            self._code = None
        if code in ("already-queued", "already-seated"):
            self._waits = True
        elif code in ("not-queued", "not-seated"):
            self._waits = False

    # ---- wishes

    async def _drawn(self, gateway: SimulatedGateway) -> Ask | None:
        if self._identity.house:
            return lambda where, name: where.requests["stand_by"](StandByRequest(id=name), self._identity)
        drawn = self._chance.random()
        if self._code is not None and drawn < 0.9:
            return await self._in_room(gateway, self._code)
        if self._waits and drawn < 0.85:
            return self._while_waiting()
        drawn = self._chance.random()
        if drawn < (0.4 if self._world.invited else 0.08):
            return self._to_a_room()
        if drawn < (0.9 if self._world.tables_offered else 0.4):
            return await self._to_an_offered_table(gateway)
        return self._to_the_queue()

    def _to_the_queue(self) -> Ask:
        """Alone, or with somebody who has said the name of a group."""
        world, alone = self._world, self._identity.bot or self._chance.random() < 0.85
        rated = world.rated and self._mood >= 0.3 and not self._identity.bot
        bots: Literal["fill", "none"] = "fill" if self._mood < 0.3 else "none"
        wanted = self._pool(2).model_dump() | {"rated": rated, "bots": bots}
        if world.group is not None or not alone:
            group = world.group or f"friends{self._chance.randrange(1000):03}"
            world.group = None if world.group is not None else group
            wanted |= {"preset": world.preset, "group": group, "group_size": 2, "rated": False}
            wanted["target"] = min(PUBLIC_TARGETS[world.preset])
        self._waits = True

        def ask(where: SimulatedGateway, name: str) -> Any:
            return where.requests["join_the_queue"](QueueRequest(id=name, **wanted), self._identity)

        return ask

    def _pool(self, seats: int) -> WishedPool:
        preset = self._world.preset if self._chance.random() < 0.9 else self._chance.choice(PRESETS)
        return WishedPool(preset=preset, seats=seats, target=min(PUBLIC_TARGETS[preset]))

    def _while_waiting(self) -> Ask | None:
        """Mostly nothing."""
        drawn, who = self._chance.random(), self._identity
        pool = self._pool(self._chance.choice((2, 3)))
        if drawn < 0.1:
            return lambda where, name: where.requests["accept_house_bots"](BotsRequest(id=name), who)
        if drawn < 0.17:
            return lambda where, name: where.requests["widen_my_ticket"](WidenRequest(id=name, pool=pool), who)
        self._waits = drawn >= 0.35
        if drawn < 0.26:
            return lambda where, name: where.requests["leave_the_queue"](LeaveQueueRequest(id=name), who)
        if drawn < 0.35:
            return lambda where, name: where.requests["leave_my_seat"](SeatRequest(id=name), who)
        return None

    # ---- tables that are offered

    async def _to_an_offered_table(self, gateway: SimulatedGateway) -> Ask | None:
        """One with a free seat, if the gateway knows of any; else the queue, or one of their own."""
        self._waits = True
        preset = self._world.preset
        ask = gateway.requests["tables_of_a_room"](preset, "open", cursor=None, limit=20)
        try:
            page = await gateway.within(ask, ASK_SECONDS)
        except (ProblemError, TimeoutError):
            return None
        found = [table.table_id for table in page.tables if len(table.people) < table.pool.seats]
        if not found and self._chance.random() < 0.6:
            return self._to_the_queue()
        if not found or self._chance.random() < 0.1:
            pool = self._pool(self._chance.choice((2, 2, 2, 3)))
            return lambda where, name: where.requests["offer_a_table"](
                OfferTableRequest(id=name, pool=pool), self._identity
            )
        table_id = self._chance.choice(found)
        self._world.tables_offered = 0
        return lambda where, name: where.requests["take_a_seat"](table_id, SeatRequest(id=name), self._identity)

    # ---- private rooms

    def _to_a_room(self) -> Ask:
        """One that somebody has told of, or a new one."""
        shown = self._world.valkey.paired
        if shown is not None and self._chance.random() < 0.4:
            return self._at_the_door(shown)
        self._code, self._world.invited = self._world.invited, None
        if self._code is not None:
            return self._command(self._code, EnterRoom(bot=self._identity.bot))
        ruleset = self._ruleset()
        return lambda where, name: where.requests["open_a_room"](
            OpenRoomRequest(id=name, ruleset=ruleset), self._identity, None
        )

    def _at_the_door(self, code: str) -> Ask:
        """Looks before coming in, or asks for what only those inside may do."""
        if self._chance.random() < 0.7:
            return self._command(code, StartMatch())
        return lambda where, _: where.requests["look_at_a_room"](code, self._identity, None)

    def _ruleset(self) -> dict[str, Any]:
        preset = self._world.preset
        return {"preset": preset, "seats": self._chance.choice((2, 2, 2, 3)), "target": min(PUBLIC_TARGETS[preset])}

    def _command(self, code: str, command: PersonInRoomCommand) -> Ask:
        def ask(where: SimulatedGateway, name: str) -> Any:
            wanted = RoomRequest(id=name, command=command)
            return where.requests["command_a_room"](code, wanted, self._identity, None)

        return ask

    async def _in_room(self, gateway: SimulatedGateway, code: str) -> Ask | None:
        ask = gateway.requests["look_at_a_room"](code, self._identity, None)
        try:
            room = await gateway.within(ask, ASK_SECONDS)
        except ProblemError as error:
            self._refused(error.problem.code)
            return None
        except TimeoutError:
            return None
        wish = self._as_host(room) if room.host == self._identity.account else self._as_guest()
        return self._command(code, wish) if wish is not None else None

    def _as_guest(self) -> PersonInRoomCommand | None:
        drawn = self._chance.random()
        if drawn < 0.05:
            return StartMatch()
        return LeaveRoom() if drawn < 0.1 else None

    def _as_host(self, room: PrivateRoom) -> PersonInRoomCommand | None:
        drawn = self._chance.random()
        other = self._chance.choice(room.people).account
        if drawn < 0.05:
            return LeaveRoom()
        if drawn < 0.1:
            return HandOver(account=other)
        if drawn < 0.13:
            return RemovePerson(account=other)
        if room.running or room.starting:
            return None
        if drawn < 0.2:
            return ChooseRuleset(ruleset=self._ruleset())
        seats = tuple(RoomSeat(account=seat.account, strength=seat.strength) for seat in room.seats)
        if RoomSeat() not in seats:
            return StartMatch() if drawn < 0.8 else ArrangeSeats(seats=seats[::-1])
        if drawn < 0.6:
            return ArrangeSeats(
                seats=tuple(RoomSeat(strength="normal") if seat == RoomSeat() else seat for seat in seats)
            )
        return None
