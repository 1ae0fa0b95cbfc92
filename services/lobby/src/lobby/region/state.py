"""What a region's lobby knows, as a fold of its events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, assert_never

from rpds import HashTrieMap

from contracts.region import (
    BotsAccepted,
    BotsLent,
    BotStoodBy,
    FillPostponed,
    MatchMade,
    PersonCameBack,
    PersonWentAway,
    Pool,
    RegionEvent,
    SeatGivenUp,
    SeatTaken,
    TableOffered,
    TableReleased,
    TicketQueued,
    TicketWithdrawn,
)
from contracts.table import Strength
from lobby.region.line import Line
from lobby.region.offers import Offers


@dataclass(frozen=True, slots=True)
class Ticket:
    """`number` counts the region's tickets; `fill_due_at` (log ms) is None for a ticket that wants no house bots."""

    number: int
    account: str
    bot: bool
    fill_due_at: int | None
    looks: int = 0
    strength: Strength = "normal"


class Fill(NamedTuple):
    """A ticket of `pool` that wants bots, and when it gets them or is looked at again. Its number is unique, so that
    fills have an order."""

    due_at: int
    number: int
    looks: int
    pool: Pool


@dataclass(frozen=True, slots=True)
class Lobby:
    """`pools` holds the tickets of each pool in order of arrival: never as many as it has seats, because a full pool is
    a match. What grows with a region, the people at its tables, lies in persistent maps."""

    pools: HashTrieMap[Pool, tuple[Ticket, ...]] = field(default_factory=HashTrieMap)
    queued: HashTrieMap[str, Pool] = field(default_factory=HashTrieMap)
    standing_by: Line = field(default_factory=Line)
    seated: HashTrieMap[str, str] = field(default_factory=HashTrieMap)
    tables: HashTrieMap[str, tuple[str, ...]] = field(default_factory=HashTrieMap)
    tickets: int = 0
    offers: Offers = field(default_factory=Offers)

    def waiting(self, pool: Pool) -> tuple[Ticket, ...]:
        return self.pools.get(pool) or ()

    def fills(self) -> Iterator[Fill]:
        """All that wait for bots; the least of them is looked at first."""
        for pool, tickets in self.pools.items():
            for ticket in tickets:
                if ticket.fill_due_at is not None:
                    yield Fill(ticket.fill_due_at, ticket.number, ticket.looks, pool)


def evolve(lobby: Lobby | None, event: RegionEvent) -> Lobby:
    """The lobby after `event`; a region's first event makes it."""
    lobby = lobby or Lobby()
    match event:
        case TicketQueued():
            return _queue(lobby, event)
        case BotStoodBy(account=account):
            return replace(lobby, standing_by=lobby.standing_by.joined_by(account))
        case TicketWithdrawn(account=account):
            return _withdraw(lobby, account)
        case MatchMade():
            lobby = replace(lobby, offers=lobby.offers.started(event.table_id))
            return _give_seats(lobby, event.table_id, tuple(seat.account for seat in event.seats))
        case FillPostponed(pool=pool, due_at=due_at):
            return _postpone(lobby, pool, due_at)
        case TableReleased(table_id=table_id):
            return _release(lobby, table_id)
        case BotsLent():
            return _give_seats(lobby, event.table_id, tuple(bot.account for bot in event.bots))
        case TableOffered() | SeatTaken() | SeatGivenUp() | BotsAccepted() | PersonWentAway() | PersonCameBack():
            return replace(lobby, offers=lobby.offers.after(event))
        case _:
            assert_never(event)


def _queue(lobby: Lobby, event: TicketQueued) -> Lobby:
    ticket = Ticket(lobby.tickets + 1, event.account, event.bot, event.fill_due_at, strength=event.strength)
    return replace(
        lobby,
        pools=lobby.pools.insert(event.pool, (*lobby.waiting(event.pool), ticket)),
        queued=lobby.queued.insert(event.account, event.pool),
        tickets=ticket.number,
    )


def _withdraw(lobby: Lobby, account: str) -> Lobby:
    pool = lobby.queued.get(account)
    lobby = replace(lobby, standing_by=lobby.standing_by.without(account))
    if pool is None:
        return lobby
    left = tuple(ticket for ticket in lobby.waiting(pool) if ticket.account != account)
    pools = lobby.pools.insert(pool, left) if left else lobby.pools.discard(pool)
    return replace(lobby, pools=pools, queued=lobby.queued.remove(account))


def _give_seats(lobby: Lobby, table_id: str, accounts: tuple[str, ...]) -> Lobby:
    for account in accounts:
        lobby = _withdraw(lobby, account)
    seated = lobby.seated
    for account in accounts:
        seated = seated.insert(account, table_id)
    return replace(lobby, seated=seated, tables=lobby.tables.insert(table_id, accounts))


def _postpone(lobby: Lobby, pool: Pool, due_at: int) -> Lobby:
    tickets = tuple(
        ticket if ticket.fill_due_at is None else replace(ticket, fill_due_at=due_at, looks=ticket.looks + 1)
        for ticket in lobby.waiting(pool)
    )
    return replace(lobby, pools=lobby.pools.insert(pool, tickets))


def _release(lobby: Lobby, table_id: str) -> Lobby:
    seated = lobby.seated
    for account in lobby.tables.get(table_id) or ():
        seated = seated.discard(account)
    return replace(lobby, seated=seated, tables=lobby.tables.discard(table_id))
