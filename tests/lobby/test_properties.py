"""What holds in every lobby, whatever people do."""

import json
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lobby.lobbies import decided, decider, who_waits

from contracts.envelope import TimeOut
from contracts.region import JoinQueue, LeaveQueue, MatchMade, Pool, RegionEvent, ReleaseTable, StandBy, TicketQueued
from lobby.region import codec
from lobby.region.filling import FILL_MS
from lobby.region.state import Lobby

PEOPLE = [f"p{number}" for number in range(9)]
BOTS = [f"h{number}" for number in range(5)]
POOLS = [
    *(Pool(preset="draw", seats=seats, target=100) for seats in (2, 3, 4)),
    Pool(preset="party", seats=4, target=100, pairs=True),
    Pool(preset="all-fives", seats=2, target=250, spinner=True),
]

joins = st.tuples(
    st.just("join"),
    st.sampled_from(PEOPLE),
    st.sampled_from(POOLS),
    st.sampled_from(["none", "fill"]),
    st.sampled_from(["beginner", "normal", "expert"]),
)
bots = st.tuples(st.just("stand-by"), st.sampled_from(BOTS))
leaves = st.tuples(st.just("leave"), st.sampled_from(PEOPLE + BOTS))
releases = st.tuples(st.just("release"), st.integers(0, 5))
waits = st.tuples(st.just("wait"), st.integers(1, 2 * FILL_MS))
steps = st.lists(st.one_of(joins, joins, bots, bots, leaves, releases, waits), max_size=60)


@dataclass
class Region:
    """A region's lobby with its timer: a deadline that has passed is sent as a timeout, once."""

    state: Lobby = field(default_factory=Lobby)
    at: int = 1_000_000
    commands: int = 0
    matches: list[MatchMade] = field(default_factory=list)
    arrivals: list[str] = field(default_factory=list)
    wants: dict[str, str] = field(default_factory=dict)
    strengths: dict[str, str] = field(default_factory=dict)

    def send(self, principal: str, command: Any) -> tuple[RegionEvent, ...]:
        self.commands += 1
        decision = decided(self.state, principal, command, self.at, self.commands)
        folded = self.state
        for event in decision.events:
            folded = decider.evolve(folded, event)
        assert folded == decision.state
        assert codec.from_json(json.loads(json.dumps(codec.to_json(folded)))) == folded
        for event in decision.events:
            self.note(event)
        self.state = folded
        return decision.events

    def note(self, event: RegionEvent) -> None:
        if isinstance(event, TicketQueued):
            self.arrivals = [account for account in self.arrivals if account != event.account] + [event.account]
            self.wants[event.account] = event.bots
            self.strengths[event.account] = event.strength
        if isinstance(event, MatchMade):
            self.matches.append(event)
            self.check_match(event)

    def check_match(self, match: MatchMade) -> None:
        accounts = [seat.account for seat in match.seats]
        people = [account for account in accounts if account in PEOPLE]
        assert len(accounts) == len(set(accounts)) == match.pool.seats
        assert people, "a table of house bots alone"
        assert people == sorted(people, key=self.arrivals.index), "seats in another order than arrivals"
        if len(people) < len(accounts):
            assert all(self.wants[account] == "fill" for account in people)
            assert all(seat.bot for seat in match.seats if seat.account not in PEOPLE)
        for seat in match.seats:
            assert seat.strength == (None if seat.account in PEOPLE else self.strengths[people[0]])

    def do(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("join", account, pool, bots, strength):
                self.send(account, JoinQueue(pool=pool, bots=bots, strength=strength))
            case ("stand-by", account):
                self.send(account, StandBy())
            case ("leave", account):
                self.send(account, LeaveQueue())
            case ("release", number) if number < len(self.matches):
                self.send("lobby", ReleaseTable(table_id=self.matches[number].table_id))
            case ("wait", ms):
                self.at += ms
                self.ring()
        self.at += 1

    def ring(self) -> None:
        deadline = decider.deadline(self.state)
        if deadline is not None and deadline.due_at < self.at:
            assert self.send("timer", TimeOut(kind=deadline.kind, ref=deadline.ref)), "a timeout that moves nothing"
            assert decider.deadline(self.state) != deadline

    def check(self) -> None:
        state = self.state
        queued = [ticket.account for unit in state.queue.units.values() for ticket in unit.tickets]
        standing = list(state.standing_by.first(len(BOTS)))
        everybody = [*queued, *standing, *state.seated]
        assert len(everybody) == len(set(everybody)), "somebody is in two places"
        assert sorted(queued) == sorted(state.queue.unit_numbers)
        assert sorted(state.seated) == sorted(account for seats in state.tables.values() for account in seats)
        assert all(0 < len(who_waits(state, pool)) < pool.seats for pool in state.queue.shelves)


@settings(max_examples=200, deadline=None)
@given(steps)
def test_nobody_is_in_two_places_and_every_match_is_fair(story: list[tuple[Any, ...]]) -> None:
    region = Region()
    for step in story:
        region.do(step)
        region.check()


@settings(max_examples=100, deadline=None)
@given(steps)
def test_who_asks_for_bots_is_seated_once_enough_bots_stand_by(story: list[tuple[Any, ...]]) -> None:
    region = Region()
    for step in story:
        region.do(step)
    for table in list(region.state.tables):
        region.send("lobby", ReleaseTable(table_id=table))
    for number in range(30):
        region.send(f"late-bot-{number}", StandBy())
    for _ in range(40):
        region.at += FILL_MS + 2
        region.ring()
    assert decider.deadline(region.state) is None
    assert all(region.wants[account] == "none" for account in region.state.queue.unit_numbers)
