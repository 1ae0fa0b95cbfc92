"""One table of a town, from its opening on: what its people do and when, and what the timer does about it."""

import hashlib
from collections.abc import Callable
from typing import Any

from tests.stories.passing import NOON
from tests.stories.town import Town, envelope
from tests.table.tables import act

from bus.decider import Deadline
from contracts.envelope import OutcomeBody, TimeOut
from contracts.message import Message
from contracts.region import JoinQueue, Pool
from contracts.table import NextRound, OpenTable, Reservation, Resign, SitDown
from domino_rules import table
from domino_rules.table import Expired, Finished, Pausing, Playing, TableState, view_for
from domino_rules.table.state import Player
from table.decider import TableDecider

PEOPLE = ("ann", "bob", "cid", "dot")
TIMER = "timer"
NOTES = ("person-acted", "delay-measured")
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"


class Story:
    """One table. Its id, and with that all its deals, follow from `name`."""

    def __init__(self, town: Town, name: str) -> None:
        self.town = town
        self.table_id = _id(name)
        self.people: tuple[str, ...] = ()
        self._state: TableState | None = None
        self._folded = 0

    # ---- the table as the log has it

    @property
    def bodies(self) -> list[OutcomeBody]:
        return self.town.watch.of(self.table_id)

    @property
    def state(self) -> TableState:
        bodies = self.bodies
        for body in bodies[self._folded :]:
            for event in body.events:
                self._state = table.evolve(self._state, table.event_from_json(event))
        self._folded = len(bodies)
        assert self._state is not None
        return self._state

    @property
    def version(self) -> int:
        return sum(len(body.events) for body in self.bodies)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [event for body in self.bodies for event in body.events]

    @property
    def now(self) -> int:
        return self.town.time.now

    @property
    def turn(self) -> int:
        return table.last_turn(self.state)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        seat = view_for(self.state, None)["to_move"]
        assert isinstance(seat, int), self.state
        return seat

    @property
    def mover(self) -> str:
        return self.people[self.seat - 1]

    @property
    def others(self) -> list[str]:
        return [person for person in self.people if person != self.mover]

    @property
    def legal(self) -> list[str]:
        legal: list[str] = view_for(self.state, self.seat)["legal"]
        return legal

    def hand(self, person: str) -> list[str]:
        hand: list[str] = view_for(self.state, self.people.index(person) + 1)["hand"]
        return hand

    @property
    def scores(self) -> list[int]:
        return list(self.state.match.scores)

    def player(self, person: str) -> Player:
        return self.state.table.players[self.people.index(person)]

    def clock(self, person: str) -> int:
        """What the person's match clock showed when it last stood still, in ms."""
        return self.state.table.clocks[self.people.index(person)]

    @property
    def deadline(self) -> Deadline:
        """The standing one, without what outages have given back."""
        found = TableDecider().deadline(self.state)
        assert found is not None
        return found

    @property
    def due_at(self) -> int:
        return self.deadline.due_at

    @property
    def effective_due_at(self) -> int:
        """With what outages have given back."""
        due = self.deadline
        return self.town.watch.outages(self.table_id).effective_due(due.set_at, due.due_at)

    # ---- what people do

    async def open(self, preset: str, seats: int = 2, *, bots: tuple[str, ...] = (), **options: Any) -> None:
        """Opens the table; nobody sits down yet."""
        self.people = PEOPLE[:seats]
        reserved = tuple(Reservation(account=person, bot=person in bots) for person in self.people)
        opening = OpenTable(ruleset={"preset": preset, **options}, seats=reserved, region="eu")
        opened = await self.town.tell(envelope(self.table_id, "lobby", opening, human=False))
        assert opened.refusal is None, opened.refusal

    async def begin(self, preset: str, seats: int = 2, **options: Any) -> None:
        """Opens the table, and all sit down."""
        await self.open(preset, seats, **options)
        for person in self.people:
            await self.done(person, SitDown())

    async def queue(self, pool: Pool) -> None:
        """Two people meet in the queue, and sit down at the table that is opened for them."""
        region = f"eu-{self.table_id}"
        self.people = (f"ann-{self.table_id}", f"bob-{self.table_id}")
        for person in self.people:
            assert (await self.town.ask("lobby", region, person, JoinQueue(pool=pool))).refusal is None
        (made,) = self.town.watch.events(region, "match-made")
        self.table_id = made["table_id"]
        await self.town.watch.until(lambda: self.bodies)
        for person in self.people:
            await self.done(person, SitDown())

    async def says(self, person: str, command: Message, at: int | None = None, **fields: Any) -> OutcomeBody:
        """The outcome of what the person asks for at `at`, now unless told."""
        return await self.town.tell(envelope(self.table_id, person, command, **fields), at)

    async def done(self, person: str, command: Message, at: int | None = None, **fields: Any) -> OutcomeBody:
        """The same; it must not be refused."""
        answer = await self.says(person, command, at, **fields)
        assert (answer.refusal, answer.fault) == (None, None), answer
        return answer

    def move(self, text: str | None = None) -> Message:
        """The command that plays, draws or passes in the turn that is on; the first that is legal unless told."""
        return act(text or self.legal[0], self.turn)

    async def play(self, text: str | None = None, at: int | None = None, **fields: Any) -> OutcomeBody:
        """Whose turn it is plays, draws or passes."""
        return await self.done(self.mover, self.move(text), at, **fields)

    async def draw_what_must_be(self) -> None:
        """So that what is legal next ends the turn."""
        while self.legal == ["draw"]:
            await self.play()

    async def play_until(self, wanted: Callable[[], bool], away: str | None = None) -> None:
        """All play on at once, into the next rounds too, until it is as `wanted`; for who is `away` time runs out."""
        while not wanted():
            match self.state:
                case Playing() if self.mover == away:
                    await self.run_out()
                case Playing():
                    await self.play()
                case Pausing() as pausing:
                    await self.next_round(pausing, away)
                case state:
                    raise AssertionError(f"it never came to that: {state.match}")

    async def next_round(self, pausing: Pausing, away: str | None = None) -> None:
        """People say that they want it, one after the other, until it is dealt."""
        for person in self.people:
            if person != away and isinstance(self.state, Pausing):
                await self.done(person, NextRound(round=pausing.match.round_number))

    async def end(self) -> None:
        """Somebody resigns, if there is still something to resign from."""
        if self.people and not isinstance(self.state, Finished | Expired):
            await self.says(self.people[0], Resign())

    # ---- the timer

    async def time_out(self, at: int, deadline: Deadline | None = None, attempt: int = 1) -> OutcomeBody:
        """What the timer says, as if its clock were wrong; logged at `at`."""
        due = deadline or self.deadline
        return await self.says(
            TIMER,
            TimeOut(kind=due.kind, ref=due.ref),
            at,
            id=f"timeout:{self.table_id}:{due.ref}:by-hand-{attempt}",
            human=False,
        )

    async def let_pass(self, at: int) -> None:
        """It becomes `at`."""
        await self.town.let_pass(self.table_id, at)

    async def outage(self, after_ms: int, length_ms: int) -> None:
        """So long nobody owns the tables, from `after_ms` behind the beginning of the turn on."""
        await self.let_pass(self.deadline.set_at + after_ms)
        await self.town.stop_table()
        self.town.stand_still(length_ms)
        await self.town.start_table()
        await self.let_pass(self.now)

    async def run_out(self) -> OutcomeBody:
        """The standing deadline passes; what the real timer brings about a millisecond later."""
        due, before = self.deadline, len(self.bodies)
        while True:
            await self.let_pass(max(self.now, self.effective_due_at + 1))
            await self.town.watch.until(lambda: self._rung(due, before) or self.effective_due_at >= self.now)
            rung = self._rung(due, before)
            if rung is not None:
                return rung

    def _rung(self, due: Deadline, before: int) -> OutcomeBody | None:
        by_timer = f"timeout:{self.table_id}:{due.ref}:"
        found = (
            body
            for body in self.bodies[before:]
            if body.principal == TIMER and body.command_id.startswith(by_timer) and body.refusal is None
        )
        return next(found, None)


def tags(outcome: OutcomeBody) -> list[str]:
    """The types of its events, without what is only noted of the command's sender."""
    return [event["type"] for event in outcome.events if event["type"] not in NOTES]


def event(outcome: OutcomeBody, tag: str) -> dict[str, Any]:
    """The only event of that type."""
    (found,) = [event for event in outcome.events if event["type"] == tag]
    return found


def refused(outcome: OutcomeBody) -> str:
    """Why; and whoever was refused can read what was expected and what came."""
    assert outcome.refusal is not None, outcome
    assert outcome.refusal.message
    return outcome.refusal.code


def _id(name: str) -> str:
    """An id made at noon, whose chance is the name."""
    number = (NOON << 80) + int.from_bytes(hashlib.sha256(name.encode()).digest()[:10])
    return "".join(_DIGITS[number >> 5 * place & 31] for place in reversed(range(26)))
