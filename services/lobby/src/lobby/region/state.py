"""What a region's lobby knows, as a fold of its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from rpds import HashTrieMap

from contracts.region import (
    BotsAccepted,
    BotsLent,
    BotStoodBy,
    FillPostponed,
    MatchMade,
    PersonCameBack,
    PersonWentAway,
    QueueLooked,
    RatingNoted,
    RegionEvent,
    SeatGivenUp,
    SeatTaken,
    TableOffered,
    TableReleased,
    TicketQueued,
    TicketWidened,
    TicketWithdrawn,
)
from lobby.region.away import Away
from lobby.region.line import Line
from lobby.region.offers import Offers
from lobby.region.queue import Queue


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who waits, who stands by, who sits where. Nobody is in two of these. `group_tables` are the tables at which
    groups sit, by their names, and `groups_at` the names by table.

    What grows with a region lies in persistent maps.
    """

    queue: Queue = field(default_factory=Queue)
    standing_by: Line = field(default_factory=Line)
    bots_away: Away = field(default_factory=Away)
    seated: HashTrieMap[str, str] = field(default_factory=HashTrieMap)
    tables: HashTrieMap[str, tuple[str, ...]] = field(default_factory=HashTrieMap)
    group_tables: HashTrieMap[str, str] = field(default_factory=HashTrieMap)
    groups_at: HashTrieMap[str, tuple[str, ...]] = field(default_factory=HashTrieMap)
    offers: Offers = field(default_factory=Offers)


def evolve(lobby: Lobby | None, event: RegionEvent) -> Lobby:
    """The lobby after `event`; a region's first event makes it."""
    lobby = lobby or Lobby()
    match event:
        case TicketQueued():
            return replace(lobby, queue=lobby.queue.queued(event))
        case TicketWidened(account=account, pool=pool):
            return replace(lobby, queue=lobby.queue.widened(account, pool))
        case FillPostponed(pool=pool, due_at=due_at):
            return replace(lobby, queue=lobby.queue.postponed(pool, due_at))
        case QueueLooked(at=at):
            return replace(lobby, queue=lobby.queue.looked(at))
        case RatingNoted(account=account, rating=rating):
            return replace(lobby, queue=lobby.queue.rated(account, rating))
        case TicketWithdrawn(account=account):
            return _without_bot(replace(lobby, queue=lobby.queue.without(account)), account)
        case BotStoodBy(account=account):
            return replace(lobby, standing_by=lobby.standing_by.joined_by(account))
        case MatchMade():
            return _give_seats(lobby, event.table_id, [seat.account for seat in event.seats])
        case TableReleased(table_id=table_id):
            return _release(lobby, table_id)
        case BotsLent():
            return _give_seats(lobby, event.table_id, [bot.account for bot in event.bots])
        case BotsAccepted():
            return replace(lobby, queue=lobby.queue.accepted(event), offers=lobby.offers.after(event))
        case PersonWentAway(account=account, at=at):
            return _note_away(replace(lobby, offers=lobby.offers.after(event)), account, at)
        case PersonCameBack(account=account):
            return _note_back(replace(lobby, offers=lobby.offers.after(event)), account)
        case TableOffered() | SeatTaken() | SeatGivenUp():
            return replace(lobby, offers=lobby.offers.after(event))
        case _:
            assert_never(event)


def _without_bot(lobby: Lobby, account: str) -> Lobby:
    if account not in lobby.standing_by:
        return lobby
    return replace(lobby, standing_by=lobby.standing_by.without(account), bots_away=lobby.bots_away.without(account))


def _give_seats(lobby: Lobby, table_id: str, accounts: Sequence[str]) -> Lobby:
    queue = lobby.queue
    groups: list[str] = []
    for account in accounts:
        unit = queue.unit(account)
        if unit is not None:
            queue = queue.without_unit(unit)
            groups += [unit.group] if unit.group is not None else []
        else:
            lobby = _without_bot(lobby, account)
    seated = lobby.seated.update(dict.fromkeys(accounts, table_id))
    tables = lobby.tables.insert(table_id, tuple(accounts))
    offers = lobby.offers.started(table_id)
    lobby = replace(lobby, queue=queue, seated=seated, tables=tables, offers=offers)
    return _seat_groups(lobby, table_id, groups) if groups else lobby


def _seat_groups(lobby: Lobby, table_id: str, groups: Sequence[str]) -> Lobby:
    group_tables = lobby.group_tables
    for group in groups:
        group_tables = group_tables.insert(group, table_id)
    return replace(lobby, group_tables=group_tables, groups_at=lobby.groups_at.insert(table_id, tuple(groups)))


def _release(lobby: Lobby, table_id: str) -> Lobby:
    seated, group_tables = lobby.seated, lobby.group_tables
    for account in lobby.tables.get(table_id) or ():
        seated = seated.discard(account)
    for group in lobby.groups_at.get(table_id) or ():
        group_tables = group_tables.discard(group)
    return replace(
        lobby,
        seated=seated,
        tables=lobby.tables.discard(table_id),
        group_tables=group_tables,
        groups_at=lobby.groups_at.discard(table_id),
    )


def _note_away(lobby: Lobby, account: str, at: int) -> Lobby:
    """Who has neither a ticket nor stands by is no matter of these."""
    if account in lobby.standing_by and account not in lobby.bots_away:
        standing_by = lobby.standing_by.stepped_out(account)
        return replace(lobby, standing_by=standing_by, bots_away=lobby.bots_away.with_person(account, at))
    return replace(lobby, queue=lobby.queue.gone_away(account, at))


def _note_back(lobby: Lobby, account: str) -> Lobby:
    if account in lobby.bots_away:
        standing_by = lobby.standing_by.stepped_back(account)
        return replace(lobby, standing_by=standing_by, bots_away=lobby.bots_away.without(account))
    return replace(lobby, queue=lobby.queue.come_back(account))
