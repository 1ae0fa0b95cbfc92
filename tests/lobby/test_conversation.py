"""A region, a private room and what they say to each other: the real decider and handlers, without brokers between."""

from dataclasses import dataclass, field
from typing import Any

from tests.lobby.lobbies import DUEL
from tests.memory_log import MemoryLog
from tests.writing_owner import WritingOwner

from bus.judging import Decision, context_of, judge
from bus.outcomes import PartitionFold
from bus.records import NewRecord, TopicPartition
from bus.sender import Letter
from contracts.envelope import CommandEnvelope, TimeOut
from contracts.lifecycle import LifecycleMessage, Source, TableWasExpired, TableWasNotOpened
from contracts.message import Message
from contracts.region import JoinQueue, OfferTable, StandBy, TableOffered, TakeSeat
from contracts.room import ArrangeSeats, EndPause, EnterRoom, OpenRoom, RoomSeat, StartMatch
from contracts.table import OpenTable, Reservation
from lobby.decider import LobbyDecider
from lobby.handlers import lifecycle_record, lobby_outcome
from lobby.room.matches import BOTS_MS
from lobby.room.state import Gathering

EVENTS = TopicPartition("lobby.events", 0)
LIVES = TopicPartition("table.lifecycle", 0)
ROOM = "room-abc234"
PARTY = {"preset": "party", "seats": 3}
decider = LobbyDecider()


@dataclass
class Conversation:
    """Letters to the lobby are delivered at once, `twice` each where asked for, those to tables are kept; letters to
    `silent` aggregates wait until they are `heard`."""

    twice: bool = False
    silent: set[str] = field(default_factory=set)
    waiting: list[Letter] = field(default_factory=list)
    log: MemoryLog = field(default_factory=MemoryLog)
    states: dict[str, Any] = field(default_factory=dict)
    to_tables: list[CommandEnvelope] = field(default_factory=list)
    commands: int = 0

    def __post_init__(self) -> None:
        self.owner = WritingOwner(self.log, EVENTS)
        self.fold = PartitionFold(EVENTS)
        self.read = 0

    def send(self, principal: str, aggregate: str, command: Message) -> Decision[Any, Any]:
        envelope = CommandEnvelope(id="c", principal=principal, aggregate=aggregate, command=command.model_dump())
        decision = self.decide(envelope)
        assert decision.code == "accepted", decision
        return decision

    def decide(self, envelope: CommandEnvelope) -> Decision[Any, Any]:
        self.log.clock.now += 1
        self.commands += 1
        now = self.log.clock.now
        context = context_of(envelope, now, now, self.commands.to_bytes(32, "big"))
        decision = judge(decider, self.states.get(envelope.aggregate), envelope.command, context)
        self.states[envelope.aggregate] = decision.state
        self.owner.write(envelope.aggregate, *(decider.encode_event(event) for event in decision.events))
        for outcome in list(self.fold.all(self.log.records[EVENTS][self.read :])):
            self.read = outcome.offset + 1
            self.deliver(lobby_outcome(outcome))
        return decision

    def deliver(self, letters: list[Letter]) -> None:
        for letter in letters:
            envelope = CommandEnvelope.model_validate_json(letter.value or b"")
            if letter.key in self.silent:
                self.waiting.append(letter)
            elif letter.topic == "table.commands":
                self.to_tables.append(envelope)
            else:
                for _ in range(1 + self.twice):
                    self.decide(envelope)

    def hear(self) -> None:
        self.silent.clear()
        waiting, self.waiting = self.waiting, []
        self.deliver(waiting)

    def wait(self, aggregate: str, ms: int) -> None:
        deadline = decider.deadline(self.states[aggregate])
        assert deadline is not None
        self.log.clock.now += ms
        self.send("timer", aggregate, TimeOut(kind=deadline.kind, ref=deadline.ref))

    def events(self, aggregate: str, tag: str) -> list[dict[str, Any]]:
        """Those of that type, in the order of the log."""
        bodies = [outcome.body() for outcome in PartitionFold(EVENTS).all(self.log.records[EVENTS])]
        return [
            event for body in bodies if body.aggregate == aggregate for event in body.events if event["type"] == tag
        ]

    def table_ends(self, opened: CommandEnvelope) -> None:
        command = OpenTable.model_validate(opened.command)
        ended = TableWasExpired(
            table_id=opened.aggregate,
            source=Source(partition=0, offset=self.commands),
            at=self.log.clock.now,
            region=command.region,
            seats=command.seats,
        )
        self.tell(ended)

    def table_is_refused(self, opening: CommandEnvelope) -> None:
        assert opening.asked_by is not None
        refused = TableWasNotOpened(
            table_id=opening.aggregate,
            source=Source(partition=0, offset=self.commands),
            at=self.log.clock.now,
            region=opening.asked_by,
            reason="stale-id",
        )
        self.tell(refused)

    def tell(self, fact: LifecycleMessage) -> None:
        record = self.log.put(NewRecord(*LIVES, fact.table_id.encode(), fact.model_dump_json().encode()))
        self.deliver(lifecycle_record(record))

    def family(self) -> None:
        """Ann's room with bob in it, and an expert and a beginner to make it four."""
        ruleset = PARTY | {"seats": 4, "target": 60}
        self.send("ann", ROOM, OpenRoom(region="eu", ruleset=ruleset))
        self.send("bob", ROOM, EnterRoom())
        seats = (
            RoomSeat(account="ann"),
            RoomSeat(strength="expert"),
            RoomSeat(account="bob"),
            RoomSeat(strength="beginner"),
        )
        self.send("ann", ROOM, ArrangeSeats(seats=seats))


def test_a_rooms_match_has_the_regions_bots_and_gives_them_back() -> None:
    for twice in (False, True):
        talk = Conversation(twice)
        for bot in ("h1", "h2", "h3"):
            talk.send(bot, "eu", StandBy())
        talk.family()
        talk.send("ann", ROOM, StartMatch())
        [opened] = talk.to_tables
        command = OpenTable.model_validate(opened.command)
        assert command.seats == (
            Reservation(account="ann"),
            Reservation(account="h1", bot=True, strength="expert"),
            Reservation(account="bob"),
            Reservation(account="h2", bot=True, strength="beginner"),
        )
        assert (command.region, command.hosted, command.ruleset["target"]) == (ROOM, True, 60)
        assert dict(talk.states["eu"].seated) == {"h1": opened.aggregate, "h2": opened.aggregate}
        talk.table_ends(opened)
        assert not talk.states["eu"].seated
        assert not talk.states["eu"].tables
        for bot in ("h1", "h2"):
            talk.send(bot, "eu", StandBy())
        talk.send("ann", ROOM, StartMatch())
        assert [seat.account for seat in OpenTable.model_validate(talk.to_tables[-1].command).seats][1] == "h3"


def test_when_a_rooms_table_is_refused_everybody_and_the_bots_are_free_at_once() -> None:
    for twice in (False, True):
        talk = Conversation(twice)
        for bot in ("h1", "h2"):
            talk.send(bot, "eu", StandBy())
        talk.family()
        talk.send("ann", ROOM, StartMatch())
        talk.table_is_refused(talk.to_tables.pop())
        assert isinstance(talk.states[ROOM], Gathering)
        assert not talk.states["eu"].seated
        [released] = talk.events("eu", "table-released")
        assert (released["not_opened"], released["accounts"]) == ("stale-id", ["h1", "h2"])
        for bot in ("h1", "h2"):
            talk.send(bot, "eu", StandBy())
        talk.send("ann", ROOM, StartMatch())
        assert len(talk.to_tables) == 1


def test_when_a_regions_table_is_refused_its_people_queue_again_at_once() -> None:
    for twice in (False, True):
        talk = Conversation(twice)
        for account in ("ann", "bob", "ann", "bob"):
            talk.send(account, "eu", JoinQueue(pool=DUEL))
            if account == "bob":
                talk.table_is_refused(talk.to_tables.pop())
        assert not talk.states["eu"].seated
        assert not talk.states["eu"].tables


def test_with_too_few_bots_the_room_does_not_start_and_the_region_keeps_nothing() -> None:
    talk = Conversation()
    talk.send("h1", "eu", StandBy())
    talk.family()
    talk.send("ann", ROOM, StartMatch())
    assert talk.to_tables == []
    assert len(talk.states["eu"].standing_by) == 1
    assert not talk.states["eu"].tables
    talk.send("h2", "eu", StandBy())
    talk.send("ann", ROOM, StartMatch())
    assert len(talk.to_tables) == 1


def test_bots_that_are_lent_after_the_room_has_given_up_go_back() -> None:
    talk = Conversation()
    for bot in ("h1", "h2"):
        talk.send(bot, "eu", StandBy())
    talk.family()
    talk.silent.add("eu")
    talk.send("ann", ROOM, StartMatch())
    talk.wait(ROOM, BOTS_MS)
    talk.hear()
    assert talk.to_tables == []
    assert not talk.states["eu"].seated
    assert not talk.states["eu"].tables
    [released] = talk.events("eu", "table-released")
    assert (released["not_opened"], released["accounts"]) == ("called-off", ["h1", "h2"]), "or they wait for ever"
    talk.send("h1", "eu", StandBy())


def test_the_host_ends_the_pause_at_the_rooms_table() -> None:
    talk = Conversation()
    talk.send("ann", ROOM, OpenRoom(region="eu", ruleset={"preset": "party", "seats": 2}))
    talk.send("bob", ROOM, EnterRoom())
    talk.send("ann", ROOM, StartMatch())
    talk.send("ann", ROOM, EndPause(round=1))
    opened, paused = talk.to_tables
    assert paused.aggregate == opened.aggregate
    assert paused.command == {"type": "end-table-pause", "round": 1}
    assert paused.principal == "lobby"


def test_an_offered_table_opens_with_its_last_seat_and_its_people_are_free_when_it_ends() -> None:
    talk = Conversation(twice=True)
    [offered] = talk.send("ann", "eu", OfferTable(pool=DUEL)).events
    assert isinstance(offered, TableOffered)
    talk.send("bob", "eu", TakeSeat(table_id=offered.table_id))
    [opened] = talk.to_tables
    assert opened.aggregate == offered.table_id
    assert not OpenTable.model_validate(opened.command).hosted
    talk.table_ends(opened)
    talk.send("ann", "eu", JoinQueue(pool=DUEL))
    talk.send("bob", "eu", OfferTable(pool=DUEL))
