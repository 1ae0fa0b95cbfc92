"""What a gateway shows of its region is what the lobby has decided, whatever people do."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lobby.lobbies import NOON, decided, decider

from contracts.envelope import TimeOut
from contracts.message import Message
from contracts.region import (
    AcceptBots,
    JoinQueue,
    LeaveQueue,
    LeaveSeat,
    LendBots,
    NoteAway,
    NoteBack,
    OfferTable,
    Pool,
    ReleaseTable,
    StandBy,
    TakeSeat,
    WidenTicket,
)
from gateway.public_tables import PublicTable
from gateway.queue_status import Statuses
from gateway.region import RegionHere
from lobby.region.state import Lobby

PEOPLE = [f"p{number}" for number in range(14)]
BOTS = [f"h{number}" for number in range(5)]
POOLS = [
    Pool(preset="draw", seats=seats, target=target, rated=seats == 4) for seats in (2, 3, 4) for target in (50, 100)
]
STEPS = 150
WAITS_MS = [1, 10, 3_001, 5_001, 61_000, 601_000]


def whim(chance: random.Random, lobby: Lobby) -> tuple[str, Message]:
    """Somebody, and what that one asks for."""
    who, pool, group = chance.choice(PEOPLE), chance.choice(POOLS), chance.randrange(4)
    asked: list[tuple[str, Message]] = [
        (who, JoinQueue(pool=pool, window=400)),
        (who, JoinQueue(pool=POOLS[group + 2], group=f"group000{group}", group_size=2 + group % 2)),
        (who, JoinQueue(pool=POOLS[group], group=f"group000{group}", group_size=2, bots="fill")),
        (who, WidenTicket(pool=pool)),
        (who, AcceptBots()),
        (who, LeaveQueue()),
        (chance.choice(PEOPLE + BOTS), NoteAway()),
        (chance.choice(PEOPLE + BOTS), NoteBack()),
        (chance.choice(BOTS), StandBy()),
        (who, OfferTable(pool=pool)),
        (who, TakeSeat(table_id=chance.choice(sorted(lobby.offers.tables) or ["none"]))),
        (who, LeaveSeat()),
        ("lobby", LendBots(room="room-abc234", table_id=f"lent{group}", strengths=("normal",))),
        ("lobby", ReleaseTable(table_id=chance.choice(sorted(lobby.tables) or ["none"]))),
    ]
    return chance.choice(asked)


def check(lobby: Lobby, here: RegionHere, now: int) -> None:
    queued = [ticket.account for unit in lobby.queue.units.values() for ticket in unit.tickets]
    waiting = {*queued, *lobby.standing_by.place_of, *lobby.offers.table_of}
    away = {*lobby.queue.away.since, *lobby.bots_away.since, *lobby.offers.away.since}
    assert {account: place.away for account in here.places if (place := here.places.get(account))} == {
        account: account in away for account in waiting
    }
    shown = {table.table_id: (table.state, [seat.account for seat in table.seats]) for table in listed(here)}
    offered = {name: ("open", [each.account for each in table.people]) for name, table in lobby.offers.tables.items()}
    running = {name: ("running", list(seats)) for name, seats in lobby.tables.items() if not name.startswith("lent")}
    assert shown == offered | running
    statuses = Statuses(here.queue, now)
    for account in queued:
        status, unit = statuses.of(account), lobby.queue.unit(account)
        assert status is not None
        assert unit is not None
        assert (status.pool, *status.also) == unit.pools
        assert here.queue.wants_bots(account) == (unit.fill_due_at is not None)
    for pool in POOLS:
        units = [unit for unit in lobby.queue.units.values() if pool in unit.pools]
        assert here.queue.ready(pool) == sum(len(unit.tickets) for unit in units if unit.is_ready)
        assert here.queue.here([pool]) == sum(len(unit.tickets) - unit.away for unit in units)
    assert here.queue.standing_by == len(lobby.standing_by) - len(lobby.bots_away)


def listed(here: RegionHere) -> list[PublicTable]:
    return list(here.tables.in_order("draw"))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_lists_queue_and_places_are_those_of_the_lobby(seed: int) -> None:
    chance, lobby, here, now = random.Random(seed), Lobby(), RegionHere("eu", str), NOON

    def send(principal: str, command: Message, number: int) -> None:
        nonlocal lobby
        decision = decided(lobby, principal, command, now, number)
        lobby = decision.state or lobby
        for event in decision.events:
            here.take("eu", event.model_dump(), now)
        check(lobby, here, now)

    for number in range(STEPS):
        send(*whim(chance, lobby), number)
        now += chance.choice(WAITS_MS)
        due = decider.deadline(lobby)
        if due is not None and due.due_at < now:
            send("timer", TimeOut(kind=due.kind, ref=due.ref), STEPS + number)
