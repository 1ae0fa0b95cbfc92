"""Private rooms in the hands of a seeded chance, with all that belongs to them: people, a timer, a region that lends
house bots sooner or later, and tables that end some time."""

import json
import random
from dataclasses import dataclass, field

from hypothesis import strategies as st
from tests.lobby.rooms import DUEL, NOON, PARTY, ROOM, decider, seats

from bus.judging import context_of, judge
from contracts.envelope import CommandEnvelope, TimeOut
from contracts.lobby import LobbyEvent
from contracts.message import Message
from contracts.room import (
    FREE,
    PEOPLE_MAX,
    ArrangeSeats,
    BotsMissing,
    BotsWanted,
    BringBots,
    ChooseRuleset,
    EndPause,
    EnterRoom,
    HandOver,
    LeaveRoom,
    MatchStarted,
    NoteAwayFromRoom,
    NoteBackInRoom,
    OpenRoom,
    RemovePerson,
    RoomReleased,
    RoomSeat,
    RoomTableEnded,
    StartMatch,
)
from contracts.table import Reservation
from lobby.decider import State
from lobby.room.hosting import AWAY_MS
from lobby.room.state import Closed, Gathering, Playing, Room, Starting

PEOPLE = [*(f"p{number}" for number in range(6)), "h0"]
"""One of them is a house bot that has come by itself."""
FOUR = {"preset": "block", "seats": 4, "pairs": True}
STEPS = 80
WEIGHTS = {"come": 5, "ask": 4, "ask-as-host": 4, "go": 3, "back": 3, "fill": 4, "lend": 4, "end": 3, "wait": 5}
WAITS_MS = [1, 900, 5_000, 10_001, AWAY_MS, AWAY_MS + 1]
LONG_WAITS_MS = [3_600_000, 90_000_001]
SEEDS = st.integers(min_value=0, max_value=2**32)


@dataclass
class World:
    """`lent` holds the tables whose bots have not been given back to the region; `armed` every deadline there was, and
    `answered` those that have passed, by their names."""

    chance: random.Random
    state: State | None = None
    at: int = NOON
    commands: int = 0
    wanted: list[BotsWanted] = field(default_factory=list)
    tables: list[MatchStarted] = field(default_factory=list)
    lent: set[str] = field(default_factory=set)
    armed: dict[str, tuple[int, int]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    events: list[LobbyEvent] = field(default_factory=list)

    @property
    def room(self) -> Room | None:
        """None of a room that is closed."""
        return self.state.room if isinstance(self.state, Gathering | Starting | Playing) else None

    def live(self) -> None:
        """From its opening through `STEPS` whims."""
        ruleset = self.chance.choice([PARTY, DUEL, FOUR])
        assert self.send(PEOPLE[0], OpenRoom(region="eu", ruleset=ruleset))
        for whim in self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()), k=STEPS):
            self.follow(whim)
            self.at += 1

    def follow(self, whim: str) -> None:
        who = self.chance.choice(PEOPLE)
        host = who if self.room is None else self.room.host
        match whim:
            case "come":
                self.send(who, EnterRoom(bot=who == "h0"), human=self.chance.random() < 0.8)
            case "ask":
                self.send(who, self.request(), human=True)
            case "ask-as-host":
                self.send(host, self.request(), human=True)
            case "go":
                self.send(self.chance.choice([who, host]), NoteAwayFromRoom())
            case "back":
                self.send(who, NoteBackInRoom())
            case "fill":
                self.fill_and_start()
            case "lend" if self.wanted:
                self.lend(self.chance.choice(self.wanted[-2:]))
            case "end" if self.tables:
                self.send("lobby", RoomTableEnded(table_id=self.chance.choice(self.tables[-2:]).table_id))
            case "wait":
                self.wait(self.chance.choice(LONG_WAITS_MS if self.chance.random() < 0.04 else WAITS_MS))

    def request(self) -> Message:
        """Anything that somebody may ask for."""
        chance = self.chance
        wish = chance.choices([*PEOPLE[:4], "normal", None], k=chance.randint(2, 4))
        return chance.choice(
            [
                LeaveRoom(),
                ChooseRuleset(ruleset=chance.choice([PARTY, DUEL, FOUR, {"preset": "chess"}])),
                ArrangeSeats(seats=seats(*wish)),
                RemovePerson(account=chance.choice(PEOPLE)),
                HandOver(account=chance.choice(PEOPLE)),
                StartMatch(),
                EndPause(round=chance.randint(1, 3)),
            ]
        )

    def fill_and_start(self) -> None:
        """All come back, the host puts bots on the seats that are free, and starts."""
        if not isinstance(self.state, Gathering):
            return
        for person in self.state.room.people:
            self.send(person.account, NoteBackInRoom())
        room = self.state.room
        bot = RoomSeat(strength=self.chance.choice(["beginner", "normal", "expert"]))
        self.send(room.host, ArrangeSeats(seats=tuple(bot if seat == FREE else seat for seat in room.seats)))
        self.send(room.host, StartMatch())

    def lend(self, wanted: BotsWanted) -> None:
        """The region brings as many bots as it was asked for, or others; sometimes it does so twice."""
        count = len(wanted.strengths) if self.chance.random() < 0.7 else self.chance.randint(0, 3)
        first = self.chance.randint(0, 3)
        bots = tuple(Reservation(account=f"h{first + number}", bot=True, strength="normal") for number in range(count))
        if bots and wanted.table_id not in [table.table_id for table in self.tables]:
            self.lent.add(wanted.table_id)
        self.send("lobby", BringBots(table_id=wanted.table_id, bots=bots))

    def wait(self, ms: int) -> None:
        """The timer sends every deadline that has passed, once."""
        self.at += ms
        while self.state is not None:
            due = decider.deadline(self.state)
            if due is None or due.due_at >= self.at:
                return
            self.send("timer", TimeOut(kind=due.kind, ref=due.ref))
            assert self.state is None or decider.deadline(self.state) != due, "a timeout that moves nothing"

    def send(self, principal: str, command: Message, *, human: bool = False) -> tuple[LobbyEvent, ...]:
        self.commands += 1
        body = command.model_dump()
        envelope = CommandEnvelope(id="c", principal=principal, aggregate=ROOM, command=body, human=human)
        context = context_of(envelope, self.at, self.at, self.commands.to_bytes(32, "big"))
        due = None if self.state is None else decider.deadline(self.state)
        decision = judge(decider, self.state, envelope.command, context)
        assert decision.fault is None, decision
        if due is not None and self.at > due.due_at:
            self.answered.add(due.ref)
        folded = self.state
        for event in decision.events:
            folded = decider.evolve(folded, event)
            self.note(event)
        self.state = None if decision.retires else folded
        assert self.state == decision.state
        self.check()
        return decision.events

    def note(self, event: LobbyEvent) -> None:
        self.events.append(event)
        match event:
            case BotsWanted():
                self.wanted.append(event)
            case MatchStarted():
                self.tables.append(event)
                accounts = [seat.account for seat in event.seats]
                assert len(accounts) == len(set(accounts)) == event.ruleset["seats"]
                assert any(seat.strength is None for seat in event.seats)
            case BotsMissing(table_id=table_id) | RoomReleased(table_id=table_id, region="eu"):
                self.lent.discard(table_id)

    def check(self) -> None:
        """What holds at any time."""
        if self.state is None:
            return
        assert decider.state_from_json(json.loads(json.dumps(decider.state_to_json(self.state)))) == self.state
        due = decider.deadline(self.state)
        assert due is not None
        assert due.ref not in self.answered, "a name that was given before"
        assert self.armed.setdefault(due.ref, (due.set_at, due.due_at)) == (due.set_at, due.due_at)
        assert isinstance(self.state, Gathering | Starting | Playing | Closed)
        if self.room is not None:
            check_room(self.room)


def check_room(room: Room) -> None:
    here = [person.account for person in room.people]
    assert len(here) == len(set(here)) <= PEOPLE_MAX
    assert not set(here) & set(room.removed)
    owner = room.person(room.owner)
    assert owner is not None, "a host who has left"
    assert room.host in here
    assert room.host == room.owner or owner.away_at is not None, "stood in for while here"
    sitting = [seat.account for seat in room.seats if seat.account is not None]
    assert len(sitting) == len(set(sitting)), "on two seats"
    assert set(sitting) <= set(here)
    assert len(room.seats) == room.ruleset["seats"]


def whole_life(seed: int) -> World:
    world = World(random.Random(seed))
    world.live()
    return world
