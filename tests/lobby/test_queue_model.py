"""The public queue beside its plain model, whatever people do: groups, ratings, other pools, people who go away."""

import json
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lobby.lobbies import decided, decider
from tests.lobby.queue_model import QueueModel

from contracts.envelope import TimeOut
from contracts.message import Message
from contracts.region import (
    AcceptBots,
    JoinQueue,
    LeaveQueue,
    MatchMade,
    NoteAway,
    NoteBack,
    NoteRating,
    Pool,
    QueueLooked,
    RegionEvent,
    ReleaseTable,
    StandBy,
    WidenTicket,
)
from lobby.region import codec
from lobby.region.dues import LAPSE_MS
from lobby.region.state import Lobby
from lobby.region.windows import LOOK_MS

PEOPLE = [f"p{number}" for number in range(12)]
BOTS = [f"h{number}" for number in range(4)]
POOLS = [
    *(Pool(preset="draw", seats=seats, target=100, rated=rated) for seats in (2, 3, 4) for rated in (False, True)),
    Pool(preset="party", seats=4, target=100, pairs=True),
    Pool(preset="party", seats=4, target=100, pairs=True, rated=True),
]
SIZES = {"groupaaa": 2, "groupbbb": 3, "groupccc": 2, "groupddd": 4}
POOL_OF = {"groupaaa": POOLS[4], "groupbbb": POOLS[5], "groupccc": POOLS[6], "groupddd": POOLS[7]}

people = st.sampled_from(PEOPLE)
everybody = st.sampled_from(PEOPLE + BOTS)
pools = st.sampled_from(POOLS)
strengths = st.sampled_from(["beginner", "normal", "expert"])
joins = st.tuples(
    st.just("join"), people, pools, st.sampled_from([None, None, *SIZES]), st.sampled_from([50, 100, 400])
)
friends = st.builds(lambda who, group: ("join", who, POOL_OF[group], group, 50), people, st.sampled_from([*SIZES]))
fills = st.tuples(st.just("fill"), people, pools, strengths)
widens = st.tuples(st.just("widen"), people, pools)
accepts = st.tuples(st.just("accept"), people, strengths)
bots = st.tuples(st.just("stand-by"), st.sampled_from(BOTS))
ratings = st.tuples(st.just("rating"), people, st.integers(1_200, 1_800))
goings = st.tuples(st.sampled_from(["leave", "away", "back", "back"]), everybody)
releases = st.tuples(st.just("release"), st.integers(0, 5))
waits = st.tuples(st.sampled_from(["wait", "sleep"]), st.one_of(st.integers(1, 12_000), st.just(LAPSE_MS)))
steps = st.lists(
    st.one_of(joins, joins, friends, friends, fills, widens, accepts, bots, ratings, goings, releases, waits),
    min_size=50,
    max_size=100,
)


@dataclass
class RegionBesideItsModel:
    """`wait` lets the timer ring, `sleep` leaves what falls due to the next command."""

    state: Any = field(default_factory=Lobby)
    model: QueueModel = field(default_factory=QueueModel)
    at: int = 1_000_000
    commands: int = 0
    matches: list[MatchMade] = field(default_factory=list)
    looks: list[int] = field(default_factory=list)

    def do(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("join", account, pool, group, window):
                self.send(account, JoinQueue(pool=pool, group=group, group_size=SIZES.get(group), window=window))
            case ("fill", account, pool, strength):
                self.send(account, JoinQueue(pool=pool, bots="fill", strength=strength))
            case ("widen", account, pool):
                self.send(account, WidenTicket(pool=pool))
            case ("accept", account, strength):
                self.send(account, AcceptBots(strength=strength))
            case ("stand-by", account):
                self.send(account, StandBy())
            case ("rating", account, rating):
                self.send("lobby", NoteRating(account=account, rating=rating))
            case ("leave", account):
                self.send(account, LeaveQueue())
            case ("away", account):
                self.send(account, NoteAway())
            case ("back", account):
                self.send(account, NoteBack())
            case ("release", number) if number < len(self.matches):
                self.send("lobby", ReleaseTable(table_id=self.matches[number].table_id))
            case ("wait", ms):
                self.at += ms
                self.ring()
            case ("sleep", ms):
                self.at += ms
        self.at += 1
        self.check()

    def ring(self) -> None:
        deadline = decider.deadline(self.state)
        if deadline is not None and deadline.due_at < self.at:
            self.send("timer", TimeOut(kind=deadline.kind, ref=deadline.ref))
            after = decider.deadline(self.state)
            assert after is None or after.due_at >= self.at, "something is due still"

    def send(self, principal: str, command: Message) -> None:
        self.commands += 1
        decision = decided(self.state, principal, command, self.at, self.commands)
        for event in decision.events:
            self.state = decider.evolve(self.state, event)
            self.check_event(event)
        assert self.state == decision.state or not decision.events

    def check_event(self, event: RegionEvent) -> None:
        if isinstance(event, QueueLooked):
            assert all(event.at >= looked + LOOK_MS for looked in self.looks), "two looks within a second"
            self.looks.append(event.at)
        if isinstance(event, MatchMade):
            self.check_match(event)
            self.matches.append(event)
        self.model.take(event)

    def check_match(self, match: MatchMade) -> None:
        seats = [seat.account for seat in match.seats]
        seated = {account for account in seats if account in PEOPLE}
        assert len(set(seats)) == len(seats) == match.pool.seats
        assert not seated & self.model.away
        waiters = {id(waiter): waiter for waiter in map(self.model.waiter, seated)}.values()
        assert seated == {name for waiter in waiters for name in waiter.people}, "a group was torn apart"
        assert match.waited_ms == self.at - min(waiters, key=lambda each: each.number).queued_at
        if len(seated) == len(seats):
            assert self.model.next_match() == (match.pool, seated)
        else:
            assert not match.pool.rated
            assert seated
            assert all(waiter.wants_bots for waiter in waiters)
        if match.pool.pairs:
            self.check_partners(seats)

    def check_partners(self, seats: list[str]) -> None:
        for waiter in {id(waiter): waiter for waiter in map(self.model.waiter, set(seats) & set(PEOPLE))}.values():
            places = sorted(seats.index(name) for name in waiter.people)
            assert len(places) != 2 or places[1] - places[0] == 2, "friends play against each other"

    def check(self) -> None:
        state = self.state
        assert self.model.next_match() is None, "a table that could be filled was not"
        assert codec.from_json(json.loads(json.dumps(codec.to_json(state)))) == state
        queued = [ticket.account for unit in state.queue.units.values() for ticket in unit.tickets]
        places = [*queued, *state.standing_by.place_of, *state.seated]
        assert len(places) == len(set(places)), "somebody is in two places"
        assert set(queued) == set(state.queue.unit_numbers) == {n for each in self.model.waiters for n in each.people}
        assert set(state.queue.away.since) == self.model.away & set(queued)
        assert set(state.bots_away.since) == self.model.away - set(queued)
        assert sorted(state.seated) == sorted(account for seats in state.tables.values() for account in seats)


@settings(max_examples=100, deadline=None)
@given(steps)
def test_the_oldest_who_fit_get_the_next_table_and_nobody_is_in_two_places(story: list[tuple[Any, ...]]) -> None:
    region = RegionBesideItsModel()
    for step in story:
        region.do(step)


@settings(max_examples=20, deadline=None)
@given(steps)
def test_once_everybody_has_left_nothing_is_left_to_wait_for(story: list[tuple[Any, ...]]) -> None:
    region = RegionBesideItsModel()
    for step in story:
        region.do(step)
    for account in PEOPLE + BOTS:
        region.do(("leave", account))
    assert decider.deadline(region.state) is None
    assert not region.state.queue.shelves
    assert not region.state.queue.groups
