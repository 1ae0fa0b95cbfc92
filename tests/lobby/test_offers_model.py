"""Offered tables, lent bots and the queue together, against the plainest thing that could do the same: one place for
everybody, and one list of people for every table."""

import json
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.lobby.lobbies import DUEL, NOON, THREE, decided, decider

from contracts.envelope import TimeOut
from contracts.message import Message
from contracts.region import (
    AcceptBots,
    BotsAccepted,
    BotsLent,
    BotStoodBy,
    JoinQueue,
    LeaveQueue,
    LeaveSeat,
    LendBots,
    MatchMade,
    NoteAway,
    NoteBack,
    OfferTable,
    PersonCameBack,
    PersonWentAway,
    ReleaseTable,
    SeatGivenUp,
    SeatTaken,
    StandBy,
    TableOffered,
    TableReleased,
    TakeSeat,
    TicketQueued,
    TicketWithdrawn,
)
from lobby.region.offers_decide import AWAY_MS
from lobby.region.state import Lobby

people = st.sampled_from([f"p{number}" for number in range(7)])
house_bots = st.sampled_from([f"h{number}" for number in range(4)])
pools = st.sampled_from([DUEL, THREE])
strengths = st.sampled_from(["beginner", "normal", "expert"])
numbers = st.integers(0, 20)


class RegionBesideItsModel(RuleBasedStateMachine):
    """`places` says where everybody is: `queue`, `line`, or a table; `sitting` who sits at offered tables, in order;
    `yes` which of these wait for house bots."""

    def __init__(self) -> None:
        super().__init__()
        self.state: Any = Lobby()
        self.at = NOON
        self.commands = 0
        self.names: list[str] = []
        self.places: dict[str, str] = {}
        self.sitting: dict[str, list[str]] = {}
        self.seats: dict[str, int] = {}
        self.yes: set[str] = set()
        self.away: dict[str, int] = {}

    # ---- what people do

    @rule(account=people, pool=pools)
    def offer(self, account: str, pool: Any) -> None:
        busy = account in self.places
        assert self.send(account, OfferTable(pool=pool)) == (not busy)

    @rule(account=people, number=numbers)
    def take_a_seat(self, account: str, number: int) -> None:
        """Three times of four at a table that is offered."""
        names = list(self.sitting) if number % 4 and self.sitting else self.names
        if names:
            table_id = names[number % len(names)]
            free = self.seats[table_id] - len(self.sitting[table_id]) if table_id in self.sitting else 0
            welcome = account not in self.places and free > 0
            assert self.send(account, TakeSeat(table_id=table_id)) == welcome

    @rule(account=people)
    def leave_the_seat(self, account: str) -> None:
        assert self.send(account, LeaveSeat())
        assert not self.sits(account)

    @rule(account=people, strength=strengths)
    def accept_bots(self, account: str, strength: Any) -> None:
        if self.sits(account):
            is_host = self.sitting[self.places[account]][0] == account
            assert self.send(account, AcceptBots(strength=strength)) == is_host

    @rule(account=st.one_of(people, house_bots))
    def go_or_come_back(self, account: str) -> None:
        self.send(account, NoteBack() if account in self.away else NoteAway())

    @rule(number=numbers)
    def somebody_at_a_table_goes_or_comes_back(self, number: int) -> None:
        sitting = [account for accounts in self.sitting.values() for account in accounts]
        if sitting:
            self.go_or_come_back(sitting[number % len(sitting)])

    @rule(account=people, pool=pools, bots=st.sampled_from(["none", "fill"]))
    def join_the_queue(self, account: str, pool: Any, bots: Any) -> None:
        busy = account in self.places
        assert self.send(account, JoinQueue(pool=pool, bots=bots)) == (not busy)

    @rule(account=people)
    def leave_the_queue(self, account: str) -> None:
        self.send(account, LeaveQueue())

    @rule(account=house_bots)
    def stand_by(self, account: str) -> None:
        self.send(account, StandBy())

    @rule(wished=st.lists(strengths, min_size=1, max_size=3))
    def lend(self, wished: list[Any]) -> None:
        table_id = f"room-table-{self.commands}"
        self.names.append(table_id)
        lend = LendBots(room="room-abc234", table_id=table_id, strengths=tuple(wished))
        assert self.send("lobby", lend)
        self.send("lobby", lend)

    @rule(number=numbers)
    def release(self, number: int) -> None:
        if self.names:
            self.send("lobby", ReleaseTable(table_id=self.names[number % len(self.names)]))

    @rule(ms=st.integers(1, AWAY_MS))
    def wait(self, ms: int) -> None:
        self.at += ms
        self.ring()
        assert all(self.at <= since + AWAY_MS for account, since in self.away.items() if self.sits(account))

    # ---- how it is done

    def send(self, principal: str, command: Message) -> bool:
        """Whether it was accepted; all that is due before the next one has rung."""
        accepted = self.judge(principal, command)
        self.at += 1
        self.ring()
        return accepted

    def ring(self) -> None:
        deadline = decider.deadline(self.state)
        while deadline is not None and deadline.due_at < self.at:
            assert self.judge("timer", TimeOut(kind=deadline.kind, ref=deadline.ref))
            assert decider.deadline(self.state) != deadline, "a timeout that moves nothing"
            deadline = decider.deadline(self.state)

    def judge(self, principal: str, command: Message) -> bool:
        self.commands += 1
        decision = decided(self.state, principal, command, self.at, self.commands)
        for event in decision.events:
            self.state = decider.evolve(self.state, event)
            self.note(event)
        assert decision.state == self.state
        return decision.refusal is None

    def note(self, event: Message) -> None:
        match event:
            case TicketQueued(account=account):
                self.enter(account, "queue")
            case BotStoodBy(account=account):
                self.enter(account, "line")
            case TableOffered(table_id=table_id, pool=pool):
                self.names.append(table_id)
                self.sitting[table_id] = [event.host]
                self.seats[table_id] = pool.seats
                self.enter(event.host, table_id)
            case SeatTaken(table_id=table_id, account=account):
                self.sitting[table_id].append(account)
                assert len(self.sitting[table_id]) <= self.seats[table_id]
                self.enter(account, table_id)
            case SeatGivenUp(table_id=table_id, account=account):
                self.give_up(table_id, account)
            case BotsAccepted(account=account) if self.sits(account):
                self.yes.add(self.places[account])
            case PersonWentAway(account=account, at=at):
                self.away[account] = at
            case PersonCameBack(account=account):
                del self.away[account]
            case TicketWithdrawn(account=account):
                assert self.places.pop(account) in ("queue", "line")
                self.away.pop(account, None)
            case MatchMade(table_id=table_id) | BotsLent(table_id=table_id):
                self.begin(table_id, event)
            case TableReleased(table_id=table_id):
                self.places = {account: place for account, place in self.places.items() if place != table_id}

    def enter(self, account: str, place: str) -> None:
        assert account not in self.places, "somebody is in two places"
        self.places[account] = place

    def give_up(self, table_id: str, account: str) -> None:
        if self.sitting[table_id][0] == account:
            self.yes.discard(table_id)
        self.sitting[table_id].remove(account)
        if not self.sitting[table_id]:
            del self.sitting[table_id]
        del self.places[account]
        self.away.pop(account, None)

    def begin(self, table_id: str, event: MatchMade | BotsLent) -> None:
        given = [seat.account for seat in (event.seats if isinstance(event, MatchMade) else event.bots)]
        sat = self.sitting.pop(table_id, [])
        assert given[: len(sat)] == sat, "somebody has lost a seat"
        assert len(given) == len(sat) or not sat or table_id in self.yes, "house bots that no host has asked for"
        assert not self.away.keys() & set(given), "somebody will find an absent opponent"
        for account in given[len(sat) :]:
            assert self.places[account] in (("line",) if sat or isinstance(event, BotsLent) else ("queue", "line"))
        self.places |= dict.fromkeys(given, table_id)
        self.yes.discard(table_id)

    def sits(self, account: str) -> bool:
        return self.places.get(account) in self.sitting

    # ---- what always holds

    @invariant()
    def everybody_is_where_the_plain_lists_have_them(self) -> None:
        offers = self.state.offers
        at_tables = {table_id: [one.account for one in table.people] for table_id, table in offers.tables.items()}
        assert at_tables == self.sitting
        assert dict(offers.table_of) == {one: place for one, place in self.places.items() if place in self.sitting}
        assert dict(offers.away.since) == {one: at for one, at in self.away.items() if self.sits(one)}
        assert dict(self.state.seated) == {
            one: place for one, place in self.places.items() if place not in ("queue", "line", *self.sitting)
        }

    @invariant()
    def no_table_stands_that_could_start(self) -> None:
        in_line = sum(place == "line" and account not in self.away for account, place in self.places.items())
        for table_id, accounts in self.sitting.items():
            free = self.seats[table_id] - len(accounts)
            could = free == 0 or (table_id in self.yes and free <= in_line)
            assert not could or self.away.keys() & set(accounts)

    @invariant()
    def a_snapshot_gives_it_back(self) -> None:
        body = json.loads(json.dumps(decider.state_to_json(self.state)))
        assert decider.state_from_json(body) == self.state


TestRegionBesideItsModel = RegionBesideItsModel.TestCase
TestRegionBesideItsModel.settings = settings(max_examples=100, stateful_step_count=60, deadline=None)
